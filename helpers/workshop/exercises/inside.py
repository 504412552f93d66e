"""Checks of notebook 08: a switch, the first wrong token, a gang of heads, a patch, a case."""

from collections.abc import Callable, Sequence

import torch

from helpers.checks import check_attempt
from helpers.recipe import DATA, Recipe
from helpers.workshop import inside
from helpers.workshop.inside import Head, Sentences


def switch(my_switch: Callable) -> None:
    """Check a function that silences one head among the contexts that stand side by side."""
    torch.manual_seed(0)
    small, large = torch.ones(1, 2, 6), torch.randn(2, 3, 8)
    first = small.clone()
    first[..., :2] = 0
    last = large.clone()
    last[..., 4:] = 0
    tokens = "The last dimension holds the channels; batch and tokens stay whole."
    cases = [
        ((small, 1, 2), first, "Heads count from 1, so head 1 has the first d_head channels."),
        ((large, 2, 4), last, "Head 2 begins where head 1 ends, and is d_head wide. " + tokens),
        ((torch.ones(1, 1, 6), 2, 2), torch.tensor([[[1.0, 1, 0, 0, 1, 1]]]), tokens),
    ]
    check_attempt(my_switch, cases)


def first_wrong(my_first_wrong: Callable) -> None:
    """Check a function that finds where a translation goes wrong first."""
    wanted = ["我", "有", "一", "把", "锯", "子", "。", "<eos>"]
    no_mark = [*wanted[:6], "<eos>"]
    other = [*wanted[:3], "个", *wanted[4:]]
    twice = ["我", "没", "一", "个", "锯", "子", "。", "<eos>"]
    longer = [*wanted[:7], "。", "<eos>"]
    cases = [
        ((other, wanted), ("把", "个"), "First what should have come, then what came."),
        ((twice, wanted), ("有", "没"), "There are two wrong tokens here; the first one counts."),
        ((no_mark, wanted), ("。", "<eos>"), "The ends belong to the sentences, too."),
        ((longer, wanted), ("<eos>", "。"), "This one goes on where it should have ended."),
    ]
    check_attempt(my_first_wrong, cases)


def gang(my_gang: Sequence[Head] | None, model, sentences: Sentences) -> None:
    """Switch off three heads that the reader chose, and say how many measure words go wrong."""
    if my_gang is None:
        print("not tried yet: no heads are named")
        return
    known = [head for head in inside.heads_of(model) if head[0] == "cross"]
    chosen = list(dict.fromkeys(tuple(head) for head in my_gang))
    if unknown := [head for head in chosen if head not in known]:
        print(f"not yet: there is no head {unknown[0]}; the last is {known[-1]}")
        return
    if len(chosen) != 3:
        print(f"not yet: these are {len(chosen)} different heads; name three")
        return
    with inside.switched_off(model, chosen):
        wrong = inside.wrong_tokens(inside.next_tokens(model, sentences), sentences)["measure word"]
    count = inside.all_tokens(sentences)["measure word"]
    said = f"{wrong} of {count} measure words go wrong"
    if wrong >= 0.08 * count:
        print(f"right, that's a gang: {said}")
    else:
        hint = "the table of section 1 says who looks at nouns, and the suspect may have an alibi"
        print(f"not yet: {said}\nhint: {hint}")


def patch(my_patch: Callable) -> None:
    """Check a function that puts other vectors at one place of each sentence."""
    x, vectors = torch.zeros(3, 4, 2), torch.tensor([[1.0, 2], [3, 4], [5, 6]])
    places = torch.tensor([0, 3, 1])
    right = x.clone()
    right[[0, 1, 2], [0, 3, 1]] = vectors
    same = torch.zeros(2, 3, 2)
    same[:, 1] = 7
    each = "Sentence 0 gets vectors[0] at places[0], sentence 1 gets vectors[1] at places[1], ..."
    cases = [
        ((torch.zeros(2, 3, 2), torch.tensor([1, 1]), torch.full((2, 2), 7.0)), same, each),
        ((x, places, vectors), right, each + " x[:, places] would touch every sentence."),
    ]
    check_attempt(my_patch, cases)


def words() -> list[str]:
    """List the words of data/probe_sets."""
    return sorted(path.stem for path in (DATA / "probe_sets").glob("*.tsv"))


SAYS = ("word", "decider", "text")


def case(my_word: str | None, my_guess: str | None, model, recipe: Recipe) -> None:
    """Take the word's row, the decider's, or the text from the twin; compare with the guess."""
    if my_word is None or my_guess is None:
        print("not tried yet: a word or a guess is missing")
        return
    if my_word not in words():
        choice = ", ".join(words())
        print(f"not yet: there are no sentences about {my_word!r}; take one of {choice}")
        return
    if my_guess not in SAYS:
        print(f"not yet: my_guess is {my_guess!r}; take 'word', 'decider' or 'text'")
        return
    twins = inside.read_twins(my_word, recipe)
    module = inside.stops_of(model.encoder_layers, model.encoder_norm)["after layer 1"]
    stops, found = {"here": module}, {}
    given = inside.vectors_at(model, stops, twins.twin_source, twins.twin_target_in)["here"]
    for name, places in (("word", twins.word), ("decider", twins.decider)):
        with inside.patched(module, places, given[twins.rows, places]):
            found[name] = inside.readings(model, twins)[1]
    found["text"] = inside.readings(model, twins, twin_text=True)[1]
    one, other = twins.pairs[0]
    print(f"{one.source} {one.target}\n{other.source} {other.target}")
    print("readings that turn:", ", ".join(f"{name} {share:.0%}" for name, share in found.items()))
    best = max(found, key=found.get)
    if found[best] < 0.5:
        print("none of the three turns most of them alone: they share the work")
    else:
        print("your guess was right" if my_guess == best else f"not this time: it's the {best}")


def half(my_heads: Sequence[Head] | None, best_first: list[Head], model, sentences) -> None:
    """Keep half of the heads, and compare with those that cost most alone."""
    if my_heads is None:
        print("not tried yet: no heads are named")
        return
    chosen = list(dict.fromkeys(tuple(head) for head in my_heads))
    if unknown := [head for head in chosen if head not in best_first]:
        print(f"not yet: there is no head {unknown[0]}")
        return
    count = len(best_first) // 2
    if len(chosen) != count:
        print(f"not yet: these are {len(chosen)} different heads; name {count}")
        return
    right = []
    for kept in (chosen, best_first[:count]):
        off = [head for head in best_first if head not in kept]
        written = inside.without(model, sentences, off)
        right.append(sum(inside.right_sentences(written, sentences)))
    said = f"yours keep {right[0]} sentences right, the costliest {right[1]}"
    print(f"right, you beat the list: {said}" if right[0] > right[1] else f"not yet: {said}")


def links(my_links: Callable) -> None:
    """Check a function that turns the map of one head into links."""
    rows = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.2, 0.5, 0.3]])
    one = torch.tensor([[0.4, 0.6], [0.9, 0.1]])
    end = "The last row writes <eos>, which is no token: leave it out."
    cases = [
        ((one,), "[(1, 0)]", f"Row 0 writes token 0; the source comes first. {end}"),
        ((rows,), "[(0, 0), (2, 1)]", f"Token j has row j, not row j + 1. {end}"),
    ]

    def as_text(weights) -> str | None:
        found = my_links(weights)
        return None if found is None else str(sorted(found))

    check_attempt(as_text, cases)
