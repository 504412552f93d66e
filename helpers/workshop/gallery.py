"""A notebook with one cell for each explorer, on small invented data: for whoever looks at them."""

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.workshop.notebooks import KERNELSPEC

START = """
import torch

from helpers.explorers import attend, bet, damage, gloss, heads, mix, play, twins
from helpers.masks import causal_keep

torch.manual_seed(0)
source = "my brother is older than me .".split()
target = ["我", "哥", "哥", "比", "我", "大", "。", "<eos>"]
older, younger = "我哥哥比我大。", "我弟弟比我小。"
english = {"我": "I", "哥哥": "older brother", "弟弟": "younger brother", "比": "than", "大": "big"}
english |= {"小": "small", "他": "he", "不": "not", "看见": "saw", "锯子": "a saw", "一": "one"}
english |= {"孩子": "child", "写": "write", "故事": "story", "回": "return", "家": "home"}
"""
CELLS = {
    "mix": 'mix("i saw a saw", scores=[2, 3, 4, 3], twin="a saw i saw", goal=(0.5, 1.5))',
    "soft": """
keys = dict(i=(1, 0), a=(0, 1), saw=(2, 2))
mix("i saw a", query=(0, 2), keys=keys, title="A soft dictionary")
""",
    "attend": 'attend("i saw a saw", keep=causal_keep(4))',
    "heads": """
weights = (2 * torch.randn(2, 4, len(target), len(source))).softmax(-1)
heads(weights, target, source)
""",
    "twins": """
twin = [*source[:3], "younger", *source[4:]]
states = torch.randn(3, 7, 6), torch.randn(3, 7, 6)
states[1][0, :3] = states[0][0, :3]
into = [[older] * 3 + [younger] + [older] * 3, [older] * 7, [older, younger] + [older] * 5]
back = [[younger] * 7] * 3
twins((source, twin), states, (older, younger), (into, back), english=english)
""",
    "play": """
steps = [[(token, 0.75), ("他", 0.125), ("不", 0.0625)] for token in target]
beam = [[(0, "我", -0.25), (0, "他", -2.0)], [(0, "哥", -0.5), (1, "哥", -2.25)]]
beam += [[(0, token, -1.0), (0, "<eos>", -1.5)] for token in target[2:]]
looks = (2 * torch.randn(len(target), len(source))).softmax(-1)
play(source, steps, looks, beam, english=english)
""",
    "damage": """
broken = [
    ("A child wrote a story.", "孩子写了一个故事。", "孩子写了一个故事"),
    ("Go home", "回家", "回家。"),
    ("I saw a saw", "我看见了一把锯子", "我看见了一个锯子"),
    ("I saw it.", "我看见了。", "我看见了"),
]
lost = {"encoder": torch.rand(2, 3), "cross-attention": torch.tensor([[44.8, 0.3, 1.0]] * 2)}
found = {("cross-attention", 1, 1): broken, ("encoder", 2, 3): broken[2:]}
damage(lost, found, english=english)
""",
    "gloss": """
gloss("我哥哥比我大。", "my brother is older than me .", {(0, 0), (1, 1), (1, 2), (4, 3), (3, 5)})
""",
    "bet": """
my_bet = bet("Which saw is the tool?", ["the first", "the second"], mine="the second")
my_bet.answer("the second")
my_bet
""",
}


def gallery() -> NotebookNode:
    """Make the notebook, not yet executed; its cells need the helpers, and no file."""
    title = new_markdown_cell("# One of each explorer", id="title")
    cells = [new_code_cell(text.strip(), id=name) for name, text in CELLS.items()]
    start = new_code_cell(START.strip(), id="start")
    return new_notebook(cells=[title, start, *cells], metadata={"kernelspec": KERNELSPEC})
