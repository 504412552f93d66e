"""The checks of notebook 03: the right answer passes, each likely mistake is noticed and named."""

import ast
import math
from pathlib import Path

import nbformat
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers.attention import scaled_dot_product_attention
from helpers.display.plane_explorers import COMPASS, W_K, W_Q, W_V, WORDS
from helpers.exercises import nb03 as check
from helpers.masks import causal_keep
from helpers.toys import toy_tagging


def no_hint(text):
    return text.startswith("not tried yet") and "hint" not in text and text.count("\n") == 1


def blanks(first, second, third):
    return [[0, 2, 0, 0], [2, 2, 0, 0], [0, 0, first, second], [0, 0, third, 0]]


def test_what_was_not_written_gets_no_hint(said):
    stubs = [(check.context_of_i, None, None)]
    stubs += [(check.context_of_i, None, [0, 2]), (check.context_of_i, SHARES, None)]
    stubs += [(check.asks_one_back, None), (check.asks_one_back, blanks(None, None, None))]
    stubs += [(check.asks_one_back, blanks(0, -4, None))]
    stubs += [(check.mended_formula, lambda q, k, v: None)]
    stubs += [(check.detective, lambda attention: None)]
    stubs += [(check.one_word, None, [], None, None, None)]
    stubs += [(check.one_word, None, [], None, 3, "er")]
    for each, *stub in stubs:
        assert no_hint(said(each, *stub)), each


SHARES = [0.107, 0.787, 0.107]


@pytest.mark.parametrize(
    ("weights", "context"),
    [
        (SHARES, [1.213, 0.787]),
        ([0.11, 0.79, 0.11], [1.21, 0.79]),
        ((0.106, 0.787, 0.106), (1.21, 0.78)),
        (torch.tensor([0.0, 2, 0]).softmax(0), torch.tensor([1.2130, 0.7870])),
        (SHARES, [1.23, 0.79]),  # mixed with rounded weights
    ],
)
def test_the_context_of_i(said, weights, context):
    assert said(check.context_of_i, weights, context).startswith("right")


@pytest.mark.parametrize(
    ("weights", "context", "hint"),
    [
        ([0, 4, 0], None, "these are scores"),
        ([0, 2, 0], [1, 1], "softmax is still to come"),
        ([0.02, 0.96, 0.02], [1.04, 0.96], "scaled before"),
        ([0, 1, 0], [1, 1], "e to the power"),
        ([0.33, 0.33, 0.33], [1, 1], "write down its query"),
        ([1, 7.39, 1], [0, 0], "sum to 1"),
        ([0.1, 0.78, 0.1], None, "don't cut it off"),
        (SHARES, [0.79, 1.21], "verb's channel stands first"),
        (SHARES, [2, 0], "times its weight"),
        (SHARES, [float("nan"), 1], "not yet"),
        (SHARES, [1, 1, 0, 0], "give 2 numbers"),
        ([0.2, 0.8], [0, 2], "give 3 numbers"),
        ("fence", [0, 2], "can't be read"),
        (SHARES, [1, None], "my_context is still None"),
    ],
)
def test_a_wrong_context_of_i(said, weights, context, hint):
    text = said(check.context_of_i, weights, context)
    assert hint in text and not text.startswith("right")


@pytest.mark.parametrize("right", [blanks(0, -4, 4), blanks(0, -9, 7), torch.tensor(W_Q)])
def test_the_three_blanks(said, right):
    text = said(check.asks_one_back, right)
    assert text.startswith("right")
    assert "(1.91, 0.09)" in said(check.asks_one_back, blanks(0, -4, 4))


def test_the_table_of_the_story_is_what_the_check_computes():
    contexts, weights = check._attended("a saw i saw", torch.tensor(W_Q).double())
    wanted = torch.tensor([[0.007, 1.993], [1.905, 0.095]]).double()
    assert torch.allclose(contexts[[1, 3]], wanted, atol=1e-3)
    assert torch.equal(weights.triu(1), torch.zeros(4, 4).double())


def test_six_places_are_told_apart_where_the_compass_is_not():
    """What the notebook says of `i saw a big old saw`, with big and old on the fence."""
    vectors = torch.tensor([[2.0, 0], [1, 1], [0, 2], [1, 1], [1, 1], [1, 1]])
    compass = torch.tensor([[1.0, 0], [0, 1], [-1, 0], [0, -1], [1, 0], [0, 1]])
    ours = check.our_w_q(), torch.tensor(W_K).float(), torch.tensor(W_V).float()
    found = []
    for (w_q, w_k, w_v), places in ((ours, compass), (check.six_places(), torch.eye(6))):
        x = torch.cat([vectors, places], dim=-1)
        found.append(scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)[0][5])
        scores = (x @ w_q) @ (x @ w_k).T
        assert scores[5, 4] - (vectors @ w_q[:2, :2])[5] @ vectors[4] == 8  # as loud as each other
    wanted = torch.tensor([[1.26, 0.74], [0.93, 1.07]])
    assert torch.allclose(torch.stack(found), wanted, atol=0.006)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (blanks(0, 0, 0), "asks for nothing"),
        (blanks(0, 0, 4), "row 3 of W_q asks for nothing"),
        (blanks(0, 4, -4), "opposite"),
        (blanks(0, -4, -4), "opposite"),
        (blanks(0, 4, 4), "opposite direction; look at the sign in row 3"),
        (blanks(4, 0, 4), "own axis"),
        (blanks(0, -1, 1), "ask louder"),
        (blanks(0, math.inf, 4), "finite"),
        ([[0, 2], [2, 2]], "give 4 rows of 4"),
        ([[0, 2, 0, 0], [2, 2, 0], [0, 0], [0]], "can't be read"),
    ],
)
def test_wrong_blanks(said, wrong, hint):
    assert hint in said(check.asks_one_back, wrong)


def test_what_a_favourite_gets_at_each_width():
    """What the solutions say of raw queries: the wider, the more have a single favourite."""
    torch.manual_seed(0)
    shares = {}
    for width in (64, 256, 1024):
        raw = torch.randn(1000, 1, width) @ torch.randn(1000, width, 10)
        stuck = [torch.softmax(raw / by, -1).amax(-1) > 0.99 for by in (1, math.sqrt(width))]
        assert not stuck[1].any()
        shares[width] = stuck[0].float().mean().item()
    assert abs(shares[256] - 0.6) < 0.04
    assert abs(shares[64] - 0.35) < 0.04 and abs(shares[1024] - 0.79) < 0.04


def softmax_of(scores, v, dim=-1):
    return torch.softmax(scores, dim=dim) @ v


def dots(q, k):
    return q @ k.transpose(-2, -1)


def test_the_mended_formula(said):
    def transposed(q, k, v):
        return softmax_of(dots(q, k) / math.sqrt(q.size(-1)), v)

    for right in (transposed, F.scaled_dot_product_attention):
        assert said(check.mended_formula, right).startswith("right, in 4 of 4 cases")


@pytest.mark.parametrize(
    ("wrong", "case", "hint"),
    [
        (lambda q, k, v: (q @ k.T) * v, 1, "all three axes"),
        (lambda q, k, v: dots(q, k) * v, 1, "times the values"),
        (lambda q, k, v: dots(q, k) @ v, 1, "sum to 1"),
        (lambda q, k, v: softmax_of(dots(q, k) / 2, v, dim=-2), 2, "Which axis"),
        (lambda q, k, v: softmax_of(dots(q, k) / 2, v, dim=0), 1, "sum to 1"),
        (lambda q, k, v: softmax_of(dots(q, k), v), 3, "which of the six steps"),
        (lambda q, k, v: softmax_of(dots(q, k) / math.sqrt(v.size(-1)), v), 3, "not d_v"),
        (lambda q, k, v: softmax_of(dots(q, k), v) / 2, 1, "sum to 1"),
        (scaled_dot_product_attention, 1, "tuple"),
    ],
)
def test_a_formula_that_is_not_mended(said, wrong, case, hint):
    text = said(check.mended_formula, wrong)
    assert f"not yet, case {case} of 4" in text and hint in text


def sums_and_gap(attention):
    generator = torch.Generator().manual_seed(1)
    shapes = (5, 4), (7, 4), (7, 9)
    q, k, v = (torch.randn(shape, generator=generator) for shape in shapes)
    sums = attention(q, k, torch.ones(7, 9))[:, 0]
    return sums, (attention(q, k, v) - F.scaled_dot_product_attention(q, k, v)).abs().max()


def diagnose(attention):
    sums, gap = sums_and_gap(attention)
    if torch.allclose(sums, torch.ones(5), atol=1e-4):
        return "right" if gap < 1e-4 else "wrong scale"
    return "scale after" if sums.max() - sums.min() < 1e-4 else "axis"


def test_the_detective(said):
    assert said(check.detective, diagnose).startswith("right, in 6 of 6 cases")
    found = [diagnose(each) for each in check.suspects().values()]
    assert list(check.suspects()) == list("abcd")
    assert sorted(found) == ["axis", "right", "scale after", "wrong scale"]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda attention: "right", "Let all values be 1"),
        (lambda attention: diagnose(attention).replace("wrong scale", "right"), "d_v ≠ d_k"),
        (lambda attention: diagnose(attention).replace("right", "axis"), "agrees with F.scaled"),
        (lambda attention: diagnose(attention).replace("axis", "right"), "differ from query"),
        (lambda attention: attention.__name__, "Let all values be 1"),
    ],
)
def test_a_detective_who_is_wrong(said, wrong, hint):
    text = said(check.detective, wrong)
    assert "not yet" in text and hint in text


def test_the_speaker_who_hesitates():
    for seed in (0, 1):
        training, testing = toy_tagging.halves(seed)
        (ids, tags), (test_ids, _) = map(toy_tagging.ids_and_tags, (training, testing))
        every = torch.cat([ids, test_ids])
        assert len(every.unique(dim=0)) == len(every) == 2 * len(ids) == 4608
        assert ((tags >= 0).sum(dim=1) == 2).all() and (tags.clamp(min=0).sum(dim=1) == 1).all()
    assert (
        ["a", "er", "saw", "i", "er", "er", "watch", "er"],
        [-100, -100, 1, -100, -100, -100, 0, -100],
    ) in toy_tagging.doubtful([("saw", "watch")])
    pairs = [{word for word in words if word in toy_tagging.BOTH_WAYS} for words, _ in training]
    kept = [{word for word in words if word in toy_tagging.BOTH_WAYS} for words, _ in testing]
    assert not any(pair in kept for pair in pairs)


def test_the_relatives():
    training, testing = toy_tagging.families(0)
    (ids, tags), (test_ids, _) = map(toy_tagging.ids_and_tags, (training, testing))
    every = torch.cat([ids, test_ids])
    assert len(every.unique(dim=0)) == len(every) == 2 * len(ids) == 336
    assert ((tags >= 0).sum(dim=1) == 1).all() and (tags[:, -1] >= 0).all()
    assert (
        ["er", "big-bro", "er", "er", "little-sis", "er", "er", "sister?"],
        [-100] * 7 + [1],
    ) in toy_tagging.relatives([(4, 1)])

    def where(sentences):
        return {tuple(word == "er" or word[-3:] for word in words[:7]) for words, _ in sentences}

    assert len(where(training)) == len(where(testing)) == 21
    assert not where(training) & where(testing)


def test_how_far_rules_get():
    tests = toy_tagging.halves(0)[1], toy_tagging.families(0)[1]
    for back, right in ((0, 1 / 2), (1, 2 / 3), (2, 5 / 6), (3, 1)):
        found = toy_tagging.best_of(lambda w, n, b=back: tuple(w[max(0, n - b) : n]), tests[0])
        assert abs(found - right) < 1e-9
    rules = [
        (lambda words, place: (words[place], place), (0.5, 0.5)),
        (lambda words, place: (words[place], *sorted(words)), (0.5, 1)),
        (toy_tagging.fading, (1, 0.75)),
    ]
    for sees, right in rules:
        assert tuple(toy_tagging.best_of(sees, each) for each in tests) == right


def test_weights_by_place_get_seven_of_eight_relatives_at_most():
    """A verdict above 0 says younger: a sum of what sister, brother and question add, at places.

    Weights by place are the same for all eight, so what a relative adds doesn't hang on who asks.
    """
    torch.manual_seed(0)
    _, tags = toy_tagging.ids_and_tags(toy_tagging.relatives([(1, 4)]))
    sister, brother, asked = torch.randn(3, 100_000, 2)
    verdicts = sister[:, :, None, None] + brother[:, None, :, None] + asked[:, None, None, :]
    hits = ((verdicts.flatten(1) > 0) == (tags[:, -1] > 0)).sum(dim=1)
    assert hits.max() == 7


def test_the_lesson_has_as_many_of_each_kind():
    training, (doubtful, relatives) = toy_tagging.lesson(0)
    asked = [words for words, _ in training if words[-1] in toy_tagging.ASKED]
    assert len(training) == 2304 + 14 * 168 and len(asked) == 14 * 168
    assert (doubtful, relatives) == (toy_tagging.halves(0)[1], toy_tagging.families(0)[1])


NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
PAGE = "03_scaled_dot_product_attention.ipynb"


def classes_of(notebook):
    """Return the classes SelfAttention and Listener that a notebook writes, by name."""
    found = {}
    for cell in nbformat.read(NOTEBOOKS / notebook, 4).cells:
        for each in ast.parse(cell.source).body if cell.cell_type == "code" else ():
            if isinstance(each, ast.ClassDef) and each.name in ("SelfAttention", "Listener"):
                found[each.name] = ast.unparse(each)
    return found


def listener(asks):
    """Build the page's Listener from its source."""
    known = dict(nn=nn, toy_tagging=toy_tagging, attention=scaled_dot_product_attention)
    known |= dict(causal_keep=causal_keep, d_model=32)
    for source in classes_of(PAGE).values():
        exec(source, known)
    return known["Listener"](asks)


def test_the_solutions_train_the_classes_of_the_page():
    assert classes_of(PAGE) == classes_of(f"solutions/{PAGE}") and len(classes_of(PAGE)) == 2


def test_a_short_training():
    """Two steps of each kind; how it ends after 300, the notebook shows."""
    training, _ = toy_tagging.lesson(0)
    for asks in ("words", "places", "sum"):
        torch.manual_seed(0)
        model = listener(asks)
        before = [each.clone() for each in model.parameters()]
        assert toy_tagging.train_tagger(model, training, 2) is model
        assert not all(map(torch.equal, before, model.parameters()))
        model(toy_tagging.ids_and_tags(training[:5])[0])
        assert torch.allclose(model.weights.sum(dim=-1), torch.ones(5, 8))
        assert (model.weights.triu(1) == 0).all()


def test_the_share_that_is_right():
    """A model that says 1 to every word: half of the tags, and a third of these three."""
    training, (doubtful, relatives) = toy_tagging.lesson(0)
    ones = F.one_hot(torch.ones(1, dtype=torch.long), 2).float()

    def says_one(ids):
        return ones.expand(*ids.shape, 2)

    assert toy_tagging.right(says_one, doubtful) == toy_tagging.right(says_one, relatives) == 0.5
    few = [each for each in relatives if each[1][-1] == 0][:2] + training[-1:]
    assert training[-1][1][-1] == 1 and abs(toy_tagging.right(says_one, few) - 1 / 3) < 1e-6


def test_one_word_is_changed(said):
    """Stands in for a head: looks at the largest number and says older if a big-sis is there."""

    class Head:
        def __call__(self, ids):
            self.weights = torch.softmax(ids.float(), dim=-1)[:, None].expand(-1, 8, -1)
            older = (ids == toy_tagging.VOCABULARY.index("big-sis")).any(dim=-1).float()
            return torch.stack([older, 0.5 + 0 * older], dim=-1)[:, None].expand(-1, 8, -1)

    head, sentence = Head(), "er er er little-sis er er big-bro sister?".split()
    assert "right, now it says older" in said(check.one_word, head, sentence, "older", 4, "big-sis")
    text = said(check.one_word, head, sentence, "younger", 7, "er")
    assert "er er er little-sis er er er sister?" in text and "still says younger" in text
    assert "sister? at place 8" in text
    assert sentence == "er er er little-sis er er big-bro sister?".split()
    for place, word, hint in (
        (8, "er", "from 1 to 7"),
        (0, "er", "from 1 to 7"),
        ("seven", "er", "from 1 to 7"),
        (7, "uncle", "one of er"),
        (7, "big-bro", "already"),
    ):
        text = said(check.one_word, head, sentence, "older", place, word)
        assert "it says younger\nnot yet" in text and hint in text
    assert said(check.one_word, head, sentence, "old", 7, "er").startswith("not yet: my_bet is")
    for bet, verdict in (("younger", "right"), ("older", "lost")):
        text = said(check.one_word, head, sentence, bet, None, None)
        assert text.startswith("er er er er er er big-bro sister?\n")
        assert f"your bet is {verdict}: it says younger" in text and "still None" in text
    brother = [*sentence[:-1], "brother?"]
    text = said(check.one_word, head, brother, "younger", None, None)
    assert text.startswith("er er er little-sis er er er brother?")


def test_no_word_leads_the_wanted_one_by_more_than_four():
    """What the text of the two blanks says, twice as much before the division, under the mask."""
    leads = []
    for sentence in check.TWINS:
        words = torch.tensor([[*WORDS[word], 0, 0] for word in sentence.split()]).double()
        scores = words @ torch.tensor(W_Q).double() @ (words @ torch.tensor(W_K).double()).T
        leads += [float(scores[n, : n + 1].max() - scores[n, n - 1]) for n in range(1, 4)]
    assert max(leads) == 4
    places = torch.tensor(COMPASS).double()
    fits = places @ torch.tensor(W_Q).double() @ (places @ torch.tensor(W_K).double()).T
    assert fits.diagonal(-1).tolist() == [8, 8, 8]


def test_the_printed_attention_does_what_the_file_does():
    """Section 8 shows the function in a fold, without its checks: also without a mask."""
    cells = nbformat.read(NOTEBOOKS / PAGE, 4).cells
    (fold,) = (cell.source for cell in cells if "<pre>\ndef attention(" in cell.source)
    known = dict(torch=torch, math=math)
    exec(fold.split("<pre>")[1].split("</pre>")[0], known)
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6)
    keep = torch.rand(2, 3, 5) > 0.5
    keep[0, 1] = False
    for mask in ((), (keep,)):
        found = known["attention"](q, k, v, *mask)
        wanted = scaled_dot_product_attention(q, k, v, *mask)
        assert all(map(torch.equal, found, wanted))
