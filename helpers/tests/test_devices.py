"""No tensor is made on the wrong device: seen on one that only pretends (helpers.workshop.pretend).

What these tests can't see: the speed of a real GPU, and numbers that its kernels round otherwise.
"""

from pathlib import Path

import pytest
import torch

from helpers.batches import pad_ids
from helpers.decoding import beam_search, greedy
from helpers.masks import causal_keep, padding_keep
from helpers.recipe import Recipe
from helpers.training import evaluate
from helpers.workshop.pretend import NAME, There, pretending

WORDS = {"saw": "看见", "dog": "狗", "cat": "猫", "me": "我", "you": "你", "hears": "听见"}


def small_recipe(folder: Path, **changes) -> Recipe:
    """A few sentences of three words, and a small model with dropout."""
    pairs = [(one, two, three) for one in WORDS for two in WORDS for three in WORDS]
    lines = [f"{' '.join(words)}\t{''.join(map(WORDS.get, words))}\n" for words in pairs]
    (folder / "pairs.tsv").write_text("".join(lines), encoding="utf-8")
    sizes = dict(d_model=8, n_heads=2, n_layers=1, d_ff=8, dropout=0.1)
    return Recipe(corpus=folder / "pairs.tsv", **sizes, steps=4, batch_size=4, **changes)


def test_the_pretended_device_refuses_what_a_gpu_refuses():
    with pretending():
        there, here = torch.ones(3, device=NAME), torch.ones(3)
        assert there.device.type == NAME and isinstance(there * 2, There)
        assert (there + torch.tensor(1.0)).tolist() == [2.0] * 3  # a single number may come along
        assert there[torch.tensor([0, 1])].device.type == NAME  # so may positions
        assert there.cpu().device.type == "cpu" and here.to(NAME).device.type == NAME
        assert torch.tensor([1, 2], device=NAME).sum().item() == 3
        for mixed in (
            lambda: there + here,
            lambda: here + there,
            lambda: torch.cat([there, here]),
            lambda: here[torch.ones(3, device=NAME).long()],
            lambda: torch.where(here > 0, there, there),
        ):
            with pytest.raises(RuntimeError, match="got tensors of two devices"):
                mixed()


def stop_at(step):
    """Give a log that breaks the training off, as Ctrl-C does, before the row of a step is kept."""

    def log(text):
        if text.startswith(f"step {step:5d}"):
            raise KeyboardInterrupt

    return log


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train twice, here and there, broken off once; give both recipes, their histories and weights.

    What is trained there can be used only while pretending, so that the tests below go on there.
    """
    folder, results = tmp_path_factory.mktemp("devices"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTENTION_BUILD", str(folder))
        for device in ("cpu", NAME):
            with pretending():
                recipe = small_recipe(folder, device=device, name=device).prepare()
                with pytest.raises(KeyboardInterrupt):
                    recipe.train(log=stop_at(3))
                results[device] = recipe, recipe.train(log=lambda text: None)
    return results


def test_a_training_there_gives_what_it_gives_here(trained):
    (_, here), (_, there) = trained["cpu"], trained[NAME]
    assert [row["step"] for row in there.rows] == [1, 2, 3, 4]
    for name in ("train_loss", "valid_loss", "valid_accuracy"):
        assert there.column(name) == pytest.approx(here.column(name), abs=1e-5)


def test_a_translator_there_translates_as_here_and_makes_no_tensor_here(trained):
    translators = []
    with pretending() as made_here:
        for recipe, _ in trained.values():
            translators.append(recipe.translator())
        here, there = translators
        sources = ["dog saw me", "you hears"]
        assert there.translate(sources) == here.translate(sources)
        assert there.translate(sources, beam_size=3) == here.translate(sources, beam_size=3)
        assert there.cross_attention("dog saw me")[2].device.type == NAME
        source = torch.tensor([[5, 6, 7], [5, 6, 0]], device=NAME)
        made_here.clear()
        there.model(source, source).sum().backward()
        assert made_here == []
        greedy(there.model, source)
        greedy(there.model, source, use_cache=False)
        assert made_here == []
        beam_search(there.model, source, 2)  # decides in Python, and brings lists of what it kept
        assert set(made_here) == {"aten.lift_fresh.default"}
        assert evaluate(there.model, recipe.valid_examples)[0] > 0


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("helpers.transformer.causal_keep", lambda *sizes: causal_keep(*sizes[:2])),
        ("helpers.transformer.padding_keep", lambda ids: padding_keep(ids.cpu())),
        ("helpers.translator.pad_ids", lambda rows, device: pad_ids(rows)),
        ("helpers.decoding.padding_keep", lambda ids: padding_keep(ids.cpu())),
    ],
)
def test_a_tensor_on_the_wrong_device_is_noticed(trained, monkeypatch, name, fault):
    with pretending():
        translator = trained[NAME][0].translator()
        monkeypatch.setattr(name, fault)
        with pytest.raises(RuntimeError, match="got tensors of two devices"):
            translator.translate(["dog saw me", "you hears"], beam_size=2)
            batch = torch.tensor([[5, 6, 7], [5, 6, 0]], device=NAME)
            translator.model(batch, batch)
