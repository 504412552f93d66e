import pytest
import torch

from helpers.attention import scaled_dot_product_attention
from helpers.transformer import evaluating
from helpers.workshop.exercises import sources as check


def unnamed(q, k, v):
    return None


@pytest.mark.parametrize(
    ("call", "stub"),
    [
        (check.by_name, unnamed),
        (check.rescue, lambda weights: None),
        (check.reached, lambda model, source, target: None),
    ],
)
def test_a_stub_gets_no_hint(said, call, stub):
    assert said(call, stub) == "not tried yet: your function returns nothing\n"


def test_by_name(said, refused):
    def right(*, q, k, v):
        return scaled_dot_product_attention(q, k, v)[0]

    def half(q, *, k, v):
        return right(q=q, k=k, v=v)

    assert said(check.by_name, right).startswith("right")
    assert said(check.by_name, half).startswith("right")
    wrong = [
        ("return the context", lambda *, q, k, v: scaled_dot_product_attention(q, k, v)),
        ("return the context", lambda *, q, k, v: right(q=q, k=v, v=k)),
        ("A * among", lambda q, k, v: right(q=q, k=k, v=v)),
    ]
    refused(check.by_name, wrong)


def exchanged(name):
    parts = {"key": "value", "value": "key"}
    return ".".join(parts.get(part, part) for part in name.split("."))


def test_rescue(said, refused):
    def right(weights):
        return {exchanged(name): weight for name, weight in weights.items()}

    def first_only(weights):
        return {name.replace("key", "value"): weight for name, weight in weights.items()}

    def no_biases(weights):
        return {
            exchanged(name) if name.endswith("weight") else name: weight
            for name, weight in weights.items()
        }

    def short_names(weights):
        names = {"key.weight", "key.bias", "value.weight", "value.bias"}
        return {exchanged(name) if name in names else name: w for name, w in weights.items()}

    assert said(check.rescue, right).startswith("right")
    wrong = [
        ("Four entries", lambda weights: weights),
        ("is missing", first_only),
        ("the biases", no_biases),
        ("longer", short_names),
    ]
    refused(check.rescue, wrong)


def reached(model, source, target, new=lambda word: word + 1, quiet=True):
    if quiet:
        with evaluating(model):
            return reached(model, source, target, new, quiet=False)
    before, found = model(source, target), []
    for place, word in enumerate(source[0].tolist()):
        changed = source.clone()
        changed[0, place] = new(word)
        found.append(bool((model(changed, target) - before).abs().max() > 1e-5))
    return found


def test_reached(said, refused):
    assert said(check.reached, reached).startswith("right")
    tensor = said(check.reached, lambda *given: torch.tensor(reached(*given)))
    assert tensor.startswith("right")
    wrong = [
        ("one word at a time", lambda *given: reached(*given)[:1]),
        ("and nobody else", lambda model, *given: [model.hears > 0] * 4),
        ("Do your scores move", lambda model, source, target: [True] * source.size(1)),
        ("into another one", lambda *given: reached(*given, new=lambda word: 5)),
        ("training mode", lambda *given: reached(*given, quiet=False)),
    ]
    refused(check.reached, wrong)
