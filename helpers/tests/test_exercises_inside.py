"""The checks of notebook 08: the right answer passes, each likely mistake is noticed and named."""

from types import SimpleNamespace

import torch

from helpers.workshop import inside
from helpers.workshop.exercises import inside as check


def switch(context, head, d_head):
    context = context.clone()
    context[..., (head - 1) * d_head : head * d_head] = 0
    return context


def from_zero(context, head, d_head):
    return switch(context, head + 1, d_head)


def to_the_end(context, head, d_head):
    context = context.clone()
    context[..., (head - 1) * d_head :] = 0
    return context


def in_place(context, head, d_head):
    context[..., (head - 1) * d_head : head * d_head] = 0
    return context


def test_the_switch(said):
    assert said(check.switch, lambda *_: None).startswith("not tried yet")
    assert said(check.switch, switch) == "right, in 3 of 3 cases\n"
    assert "Heads count from 1" in said(check.switch, from_zero)
    assert "hint: Heads count" in said(check.switch, to_the_end)
    assert "changes its argument" in said(check.switch, in_place)


def first_wrong(written, wanted):
    for one, other in zip(written, wanted, strict=False):
        if one != other:
            return other, one
    return ()


def test_the_first_wrong_token(said):
    assert said(check.first_wrong, lambda *_: None).startswith("not tried yet")
    assert said(check.first_wrong, first_wrong) == "right, in 4 of 4 cases\n"
    turned = said(check.first_wrong, lambda *both: first_wrong(*both)[::-1])
    assert "First what should have come" in turned
    last = said(check.first_wrong, lambda *both: first_wrong(*(each[::-1] for each in both)))
    assert "the first one counts" in last
    no_end = said(check.first_wrong, lambda *both: first_wrong(*(each[:-1] for each in both)))
    assert "not yet" in no_end


def patch(x, places, vectors):
    x = x.clone()
    x[torch.arange(len(x)), places] = vectors
    return x


def every_place(x, places, vectors):
    x = x.clone()
    x[:, places] = vectors if len(vectors) == len(places) else x[:, places]
    return x


def test_the_patch(said):
    assert said(check.patch, lambda *_: None).startswith("not tried yet")
    assert said(check.patch, patch) == "right, in 2 of 2 cases\n"
    assert "would touch every sentence" in said(check.patch, every_place)


class Sets:
    """Pretend that two heads of cross-attention together write the measure words."""

    def __init__(self, monkeypatch):
        self.off = []
        heads = [("encoder", 1, 1), *(("cross", 1, number) for number in (1, 2, 3, 4))]
        monkeypatch.setattr(inside, "heads_of", lambda model: heads)
        monkeypatch.setattr(inside, "switched_off", self.switch)
        monkeypatch.setattr(inside, "next_tokens", lambda *_: None)
        monkeypatch.setattr(inside, "wrong_tokens", lambda *_: {"measure word": self.wrong()})
        monkeypatch.setattr(inside, "all_tokens", lambda *_: {"measure word": 100})

    def wrong(self):
        return 40 if {("cross", 1, 1), ("cross", 1, 2)} <= {*self.off} else 1

    def switch(self, model, heads):
        self.off = heads
        return torch.no_grad()


def test_the_gang(said, monkeypatch):
    Sets(monkeypatch)
    assert said(check.gang, None, None, None).startswith("not tried yet")
    three = [("cross", 1, number) for number in (1, 2, 3)]
    assert said(check.gang, three, None, None) == (
        "right, that's a gang: 40 of 100 measure words go wrong\n"
    )
    text = said(check.gang, [("cross", 1, 2), ("cross", 1, 3), ("cross", 1, 4)], None, None)
    assert text.startswith("not yet: 1 of 100") and "hint" in text
    assert "no head ('cross', 9, 9)" in said(check.gang, [("cross", 9, 9)], None, None)
    assert "no head ('encoder', 1, 1)" in said(check.gang, [("encoder", 1, 1)], None, None)
    assert "2 different heads" in said(check.gang, three[:2] + three[:1], None, None)


def test_a_case_of_ones_own(said, small_model, monkeypatch):
    pair = SimpleNamespace(source="My brother is older", target="我哥哥大")
    places = torch.tensor([1])
    twins = SimpleNamespace(
        pairs=[(pair, SimpleNamespace(source="My brother is younger", target="我弟弟小"))],
        twin_source=torch.tensor([[4, 5, 6]]), twin_target_in=torch.tensor([[1]]),
        word=places, decider=places + 1, rows=torch.arange(1),
    )  # fmt: skip
    nobody, all_ = (1.0, 0.0), (0.0, 1.0)
    turns = iter([nobody, all_, nobody] * 2 + [nobody, nobody, all_] + [(0.9, 0.1)] * 3)
    monkeypatch.setattr(inside, "read_twins", lambda word, recipe: twins)
    monkeypatch.setattr(inside, "readings", lambda *_, **__: next(turns))
    assert said(check.case, None, None, None, None).startswith("not tried yet")
    assert said(check.case, "brother", None, None, None).startswith("not tried yet")
    assert "take one of bank, bat, brother" in said(check.case, "cat", "word", None, None)
    assert "take 'word', 'decider' or 'text'" in said(check.case, "bat", "head", None, None)
    text = said(check.case, "bat", "decider", small_model, None)
    assert "word 0%, decider 100%, text 0%" in text and "was right" in text
    assert "it's the decider" in said(check.case, "bat", "word", small_model, None)
    assert "was right" in said(check.case, "bat", "text", small_model, None)
    assert "share the work" in said(check.case, "bat", "word", small_model, None)


def test_half_of_the_heads(said, monkeypatch):
    best_first = [("cross", 1, number) for number in (1, 2, 3, 4)]
    monkeypatch.setattr(inside, "without", lambda model, sentences, off: off)
    monkeypatch.setattr(inside, "right_sentences", lambda off, _: [("cross", 1, 1) in off] * 3)
    assert said(check.half, None, best_first, None, None).startswith("not tried yet")
    better = said(check.half, [("cross", 1, 3), ["cross", 1, 4]], best_first, None, None)
    assert better.startswith(
        "right, you beat the list: yours keep 3 sentences right, the costliest 0"
    )
    assert said(check.half, best_first[:2], best_first, None, None).startswith("not yet: yours")
    assert "name 2" in said(check.half, best_first, best_first, None, None)
    assert "no head ('x', 1, 1)" in said(check.half, [("x", 1, 1)], best_first, None, None)


def test_links_from_a_map(said):
    def links(weights):
        return {(i, j) for j, i in enumerate(weights[:-1].argmax(-1).tolist())}

    assert said(check.links, lambda weights: None).startswith("not tried yet")
    assert said(check.links, links) == "right, in 2 of 2 cases\n"
    assert "hint" in said(check.links, lambda w: {(j, i) for i, j in links(w)})
    late = said(check.links, lambda w: {(i, j) for j, i in enumerate(w[1:].argmax(-1).tolist())})
    assert "leave it out" in late
