"""Switches, counts and patches of notebook 08: each does what it says, and nothing else."""

from types import SimpleNamespace

import pytest
import torch

from helpers.attention import watching
from helpers.batches import encode_pairs
from helpers.decoding import greedy
from helpers.interpret import patching, patching_cases, patching_seeds
from helpers.interpret.patching import Sentences
from helpers.pairs import Pair
from helpers.text import BOS, EOS, Vocabulary
from helpers.transformer import Transformer, evaluating
from helpers.translator import Translator

ENGLISH = "i saw a old board map my brother is older younger than . tom bought the saws".split()
CHINESE = [*"我看见一把旧锯子块木板张地图哥弟比大小。汤姆买了那"]
OLD_SAW = Pair(
    "I saw a old saw .", "我看见一把旧锯子。", ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5))
    + ((4, 6), (4, 7), (5, 8)),
)  # fmt: skip
MAP = Pair("I bought a map", "我买一张地图", ((0, 0), (1, 1), (2, 2), (2, 3), (3, 4), (3, 5)))
OLDER = Pair("my brother is older", "我哥哥大", ((0, 0), (1, 1), (1, 2), (3, 3)))
YOUNGER = Pair("my brother is younger", "我弟弟小", ((0, 0), (1, 1), (1, 2), (3, 3)))


@pytest.fixture
def vocabularies():
    return Vocabulary(ENGLISH), Vocabulary(list(dict.fromkeys(CHINESE)))


@pytest.fixture
def sentences(vocabularies):
    pairs = [OLD_SAW, MAP, OLDER, OLD_SAW]
    return Sentences(pairs, encode_pairs(pairs, *vocabularies))


@pytest.fixture
def model(small_model, vocabularies):
    source, target = map(len, vocabularies)
    sizes = small_model.sizes | dict(source_size=source, target_size=target)
    torch.manual_seed(3)
    model = Transformer(**sizes).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.1 * torch.randn_like(weight))
    return model


def test_the_blocks_and_heads_have_names(model):
    assert list(patching.blocks_of(model)) == [
        (kind, layer) for kind in ("encoder", "decoder", "cross") for layer in (1, 2)
    ]
    heads = patching.heads_of(model)
    assert len(heads) == 12 and heads[0] == ("encoder", 1, 1) and heads[-1] == ("cross", 2, 2)
    assert patching.blocks_of(model)["cross", 2] is model.decoder_layers[1].cross_attention


def test_no_head_off_changes_nothing_and_all_heads_off_leave_the_bias(model):
    block, x = patching.blocks_of(model)["cross", 1], torch.randn(2, 5, 12)
    before = block(x, x)
    with patching.switched_off(model, []):
        assert torch.equal(block(x, x), before)
    with patching.switched_off(model, [("cross", 1, 1), ("cross", 1, 2)]):
        assert torch.equal(block(x, x), block.output.bias.expand_as(x))
    assert torch.equal(block(x, x), before)


def test_one_head_off_takes_away_its_part_of_its_block_only(model):
    block, x, contexts = patching.blocks_of(model)["encoder", 2], torch.randn(2, 5, 12), []
    with patching.before(block.output, lambda x: contexts.append(x) or x):
        before = block(x, x)
    part = contexts[0][..., 6:] @ block.output.weight[:, 6:].T
    others = {name: each(x, x) for name, each in patching.blocks_of(model).items()}
    with patching.switched_off(model, [("encoder", 2, 2)]):
        assert torch.allclose(block(x, x), before - part, atol=1e-5)
        for name, each in patching.blocks_of(model).items():
            assert torch.equal(each(x, x), others[name]) == (name != ("encoder", 2))
    means = {name: torch.full((12,), 3.0) for name in others}
    with patching.switched_off(model, [("encoder", 2, 1)], means):
        filled = contexts[0].clone()
        filled[..., :6] = 3
        wanted = filled @ block.output.weight.T + block.output.bias
        assert torch.allclose(block(x, x), wanted, atol=1e-5)


def test_a_switch_goes_off_again_after_a_fault(model):
    block, x = patching.blocks_of(model)["cross", 1], torch.randn(1, 3, 12)
    before = block(x, x)
    with pytest.raises(RuntimeError), patching.switched_off(model, [("cross", 1, 1)]):
        raise RuntimeError
    assert torch.equal(block(x, x), before)


def test_means_are_those_of_real_tokens(model, sentences):
    means = patching.mean_contexts(model, sentences)
    assert list(means) == list(patching.blocks_of(model))
    block, contexts = patching.blocks_of(model)["encoder", 1], []
    with patching.before(block.output, lambda x: contexts.append(x[0]) or x), evaluating(model):
        for source, _ in sentences.examples:
            model.encode(torch.tensor([source]))
    assert torch.allclose(means["encoder", 1], torch.cat(contexts).mean(0), atol=1e-5)


def test_measure_words_are_found_with_their_nouns():
    nouns = patching.read_nouns()
    assert nouns["saw"] == {"把"} and {"只", "根"} <= nouns["bat"] and {"封"} < nouns["letter"]
    assert patching.nouns_of_measure_words(OLD_SAW, nouns) == {4: 4}
    assert patching.nouns_of_measure_words(MAP, nouns) == {3: 3}
    assert patching.nouns_of_measure_words(OLDER, nouns) == {}


def test_tokens_have_kinds(sentences):
    kinds = [sentences.kind(0, place) for place in range(10)]
    assert kinds == ["other word"] * 4 + ["measure word"] + ["other word"] * 3 + [
        "final mark", "(end)",
    ]  # fmt: skip
    assert sentences.kind(1, 5) == "other word" and sentences.kind(1, 6) == "(end)"
    counts = patching.all_tokens(sentences)
    assert counts["measure word"] == 3 and counts["final mark"] == 2 and counts["(end)"] == 4


def test_next_tokens_are_what_greedy_writes(model, sentences):
    written = patching.next_tokens(model, sentences)
    for (source, target), row in zip(sentences.examples, written, strict=True):
        assert len(row) == len(target) + 1
        wrote = greedy(model, torch.tensor([source]), max_tokens=len(target) + 1)[0]
        assert (wrote[: len(target)] + [EOS])[0] == row[0]
        assert ([*wrote, EOS][: len(row)] == [*target, EOS]) == (row == [*target, EOS])


def test_wrong_tokens_are_counted_where_they_stand(sentences):
    written = [list(row) for row in sentences.wanted]
    assert all(patching.right_sentences(written, sentences))
    assert set(patching.wrong_tokens(written, sentences).values()) == {0}
    written[0][4] = written[0][8] = written[1][0] = written[2][4] = 0
    wrong = patching.wrong_tokens(written, sentences)
    assert wrong == {"measure word": 1, "final mark": 1, "other word": 1, "(end)": 1}
    assert patching.right_sentences(written, sentences) == [False, False, False, True]
    assert patching.newly_broken(sentences.wanted, written, sentences) == [(0, 4), (1, 0), (2, 4)]
    assert patching.newly_broken(written, written, sentences) == []


def test_the_first_wrong_place():
    assert patching.first_wrong("abc", "abc") is None
    assert patching.first_wrong("axy", "abc") == 1


def test_maps_belong_to_their_sentence(model, sentences):
    maps = patching.cross_maps(model, sentences)
    assert [tuple(each.shape) for each in maps[:2]] == [(2, 2, 10, 6), (2, 2, 7, 4)]
    source, target = sentences.examples[1]
    with evaluating(model), watching(model.decoder_layers) as seen:
        model(torch.tensor([source]), torch.tensor([[BOS, *target]]))
    alone = torch.cat([seen[name][0] for name in seen if "cross" in name])
    assert torch.allclose(maps[1], alone, atol=1e-5)
    nouns = patching.weight_on_nouns(maps, sentences)
    marks = patching.weight_on_marks(maps, sentences)
    wanted = (2 * maps[0][:, :, 4, 4] + maps[1][:, :, 3, 3]) / 3
    assert torch.allclose(nouns, wanted, atol=1e-6)
    assert torch.allclose(marks, maps[0][:, :, 8, 5], atol=1e-6)


def test_alignment_is_scored_over_linked_and_over_all_tokens():
    pair = Pair("a b", "甲乙丙", ((0, 0), (1, 1)))
    assert patching.alignment_scores([[0, 0, 0]], [pair]) == [1 - 2 / 5, 0.5, 1 / 3]
    found = patching.baselines([pair])
    assert found["best possible"] == pytest.approx([1 - 4 / 5, 1.0, 2 / 3])
    assert found["diagonal"] == found["best possible"]  # 0, 1, 1
    assert found["chance"] == pytest.approx([1 - 2 / 5, 0.5, 1 / 3])


@pytest.fixture
def recipe(model, vocabularies):
    translator = Translator(model, *vocabularies)
    pairs = SimpleNamespace(train=[], valid=[OLDER], tests=dict(test=[OLD_SAW, MAP]))
    return SimpleNamespace(
        vocabularies=vocabularies, device="cpu", pairs=pairs, translator=lambda: translator,
        encode=lambda pairs: encode_pairs(pairs, *vocabularies),
    )  # fmt: skip


@pytest.fixture
def twins(recipe):
    one, other = (OLDER, 1), (YOUNGER, 1)
    return patching.make_twins([(one, other), (other, one)], recipe)


def test_twins_know_their_places(twins, vocabularies):
    assert twins.word.tolist() == [1, 1] and twins.decider.tolist() == [3, 3]
    assert twins.step.tolist() == twins.twin_step.tolist() == [1, 1]
    assert vocabularies[1].decode(twins.own.tolist()) == ["哥", "弟"]
    assert torch.equal(twins.own, twins.other.flip(0))
    assert torch.equal(twins.source, twins.twin_source.flip(0))


def test_readings_are_shares_of_the_step_that_writes_them(twins):
    class Says(torch.nn.Module):
        def forward(self, source, target_in):
            scores = torch.zeros(2, target_in.size(1), 40)
            scores[:, 1, twins.own[0]] = 1.0  # always an older brother
            return scores

    assert patching.readings(Says(), twins) == (0.5, 0.5)


def test_all_rows_of_the_twin_make_the_twin(model, twins):
    stops = patching.stops_of(model.encoder_layers, model.encoder_norm)
    assert list(stops) == ["the words", "after layer 1", "after layer 2"]
    given = patching.vectors_at(model, stops, twins.twin_source, twins.twin_target_in)
    with evaluating(model):
        wanted = model(twins.twin_source, twins.target_in)
        for name, module in stops.items():
            with patching.before(module, lambda x, name=name: given[name]):
                assert torch.allclose(model(twins.source, twins.target_in), wanted, atol=1e-5)
        # At the words the twins differ in one row, so that one is enough.
        vectors = given["the words"][twins.rows, twins.decider]
        with patching.patched(stops["the words"], twins.decider, vectors):
            assert torch.allclose(model(twins.source, twins.target_in), wanted, atol=1e-5)


def test_a_patch_touches_one_row_of_each_sentence():
    layer, x = torch.nn.Identity(), torch.zeros(3, 4, 2)
    with patching.patched(layer, torch.tensor([0, 3, 1]), torch.ones(3, 2)):
        out = layer(x)
    assert out[[0, 1, 2], [0, 3, 1]].eq(1).all() and out.sum() == 6 and not x.any()
    assert layer(x) is x


def test_strangers_have_the_word_that_is_asked_for(recipe):
    far = Pair("my brother is older than", "我哥哥大", OLDER.links)
    young = Pair("my brother is younger than", "我弟弟小", OLDER.links)
    couples = [((OLDER, 1), (YOUNGER, 1)), ((far, 1), (young, 1))]
    couples += [(other, one) for one, other in couples]
    twins = patching.make_twins(couples, recipe)
    assert patching.strangers(twins, same_decider=True).tolist() == [1, 0, 3, 2]
    words = twins.source[twins.rows, twins.decider]
    others = words[patching.strangers(twins, same_decider=False)]
    assert not (words == others).any()


def test_rows_to_patch_are_four_different_ones(recipe):
    twins = patching.make_twins([((OLDER, 1), (YOUNGER, 1))], recipe)
    places = {name: each.item() for name, each in patching_seeds.rows_to_patch(twins).items()}
    assert places == {"word": 1, "word's neighbour": 0, "decider": 3, "decider's neighbour": 2}


def test_looks_are_those_of_the_step_that_writes_the_reading(model, twins):
    looks = patching.looks_of(model, twins)
    with evaluating(model), watching(model.decoder_layers) as seen:
        model(twins.source, twins.target_in)
    weights = seen["1.cross_attention"][0][:, 1, 1]  # layer 2, head 2, the second step
    assert looks["cross", 2, 2] == pytest.approx(
        (weights[:, 3].mean().item(), weights[:, 1].mean().item())
    )


def test_two_saws_are_found_and_exchanged(model, recipe):
    links = ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6))
    both = Pair("I saw a saw", "我看见一把锯子", links)
    saws = patching.two_saws([OLD_SAW, MAP, both])
    assert saws == [(OLD_SAW, [1, 4], [1, 6]), (both, [1, 3], [1, 5])]
    assert patching.exchanged(model, saws, recipe) in (0, 1, 2)
    # A model that says what comes next goes wrong as soon as the two steps change places.
    copies = Copies(model)
    assert patching.exchanged(copies, saws, recipe) == 0
    assert patching.exchanged(copies, saws, recipe, copies.layer, steps=True) == 2
    assert patching.exchanged(copies, saws, recipe, copies.other) == 0


class Copies(torch.nn.Module):
    """Say the token that the target has next, by a layer whose rows can be exchanged."""

    def __init__(self, model):
        super().__init__()
        self.layer, self.other = torch.nn.Identity(), torch.nn.Identity()
        self.size = model.sizes["target_size"]

    def forward(self, source, target_in):
        self.other(torch.zeros(len(source), 9, 2))
        following = torch.cat([target_in[:, 1:], target_in[:, -1:]], dim=1)
        return self.layer(torch.nn.functional.one_hot(following, self.size).float())


def test_a_corpus_without_links_is_refused_in_one_sentence(recipe):
    recipe.pairs.tests["test"] = [Pair("I saw a map", "我看见一张地图")]
    with pytest.raises(ValueError, match="no test sentences with word links"):
        patching.sentences_of(recipe, 10)
    recipe.pairs.tests["test"] = [OLDER]
    with pytest.raises(ValueError, match="no measure word; give a larger n_sentences"):
        patching.sentences_of(recipe, 10)
    recipe.pairs.tests["test"] = [OLD_SAW, MAP]
    assert len(patching.sentences_of(recipe, 1).pairs) == 1
    recipe.vocabularies = Vocabulary(["board"]), Vocabulary(CHINESE[:3])
    with pytest.raises(ValueError, match="no brother and no saw"):
        patching.sentences_of(recipe, 10)


def test_only_what_the_reader_found_is_shown(tmp_path):
    assert patching.kept_breakers(tmp_path) == []
    lines = ["a cat\t猫\t狗\ttest", "the cat\tno cat\t狗\tyou"]
    (tmp_path / "breakers.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert patching.kept_breakers(tmp_path) == [["the cat", "no cat", "狗"]]


def test_the_broken_are_told_with_what_is_written_now(recipe, sentences):
    translator = recipe.translator()
    head = ("cross", 1, 1)
    with patching.switched_off(translator.model, [head]):
        written = patching.next_tokens(translator.model, sentences)
    count = sum(row != wanted for row, wanted in zip(written, sentences.wanted, strict=True))
    rows = patching.broken_translations(translator, sentences, sentences.wanted, head, shown=2)
    assert len(rows) == count > 2
    assert all(source and right != wrote for source, right, wrote in rows)
    healthy = patching.next_tokens(translator.model, sentences)  # nothing was right: nothing breaks
    assert patching.broken_translations(translator, sentences, healthy, head, 2) == []
    assert [*map(patching.mark_or_not, ["。", "<eos>", "我"])] == ["final mark", "(end)", "word"]


def test_patching_everywhere_translates_each_twin_with_each_vector_of_the_other(recipe):
    translator = recipe.translator()
    sources = ["my brother is older", "my brother is younger"]
    found = patching.patched_everywhere(translator, sources)
    assert found["translations"] == translator.translate(sources)
    assert [len(row) for each in found["patched"] for row in each] == [4] * 6
    for mine, other in ((0, 1), (1, 0)):
        words = found["patched"][mine][0]
        assert words[3] == found["translations"][other]
        assert words[:3] == [found["translations"][mine]] * 3
    assert found["states"][0].shape == (3, 4, 12)


def test_all_evidence_is_taken(model, recipe, monkeypatch):
    one, other = (OLDER, 1), (YOUNGER, 1)
    made = patching.make_twins([(one, other), (other, one)], recipe)
    monkeypatch.setattr(patching, "read_twins", lambda word, recipe: made)
    both = Pair(
        "I saw a saw", "我看见一把锯子",
        ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6)),
    )  # fmt: skip
    recipe.pairs.train, recipe.train = [both], lambda **_: None
    monkeypatch.setattr(patching_seeds, "GANG", 1)
    monkeypatch.setattr(patching_seeds, "LOOKERS", 2)
    monkeypatch.setattr(patching, "GIVEN", {"map": ("i saw a map", 3), "bought": ("i bought a", 1)})
    figures = patching_seeds.measure(recipe)
    assert figures["measure_words"] == 2 and figures["marks"] == 1 and figures["two_saws"] == 2
    assert figures["turned_at_least.decider"] == min(figures["brother_turned.decider"])
    assert figures["gang_of_three"] == figures["gang_measure_words"][0]
    assert figures["suspect_rank.zero"] >= 1
    assert len(figures["trios"]) == 2 - (figures["trios"][0][0] == figures["trios"][-1][0])
    saws = patching_seeds.measure_saws(recipe)
    assert saws["two_saws"] == 2 and 0 <= saws["given_at_least"] <= 1
    again = patching_seeds.draws_of(patching.heads_of(model), 3, draws=2)
    assert again == patching_seeds.draws_of(patching.heads_of(model), 3, draws=2)
    assert len(again) == 2 and again[0] != again[1] and len({*again[0]}) == 3


def test_off_one_by_one_and_what_it_costs(model, sentences):
    healthy = patching.without(model, sentences, [])
    assert healthy == patching.next_tokens(model, sentences)
    off = patching.each_off(model, sentences)
    assert list(off) == patching.heads_of(model)
    assert off["cross", 2, 1] == patching.without(model, sentences, [("cross", 2, 1)])
    wanted = [list(row) for row in sentences.wanted]
    broken = [list(row) for row in wanted]
    broken[0][4] = broken[2][0] = 0
    assert patching.points_lost(wanted, broken, sentences) == 50.0
    assert patching.first_wrong_kinds(wanted, broken, sentences) == {
        "measure word": 1, "other word": 1,
    }  # fmt: skip
    grids = patching.grids_of(dict(zip(off, range(12), strict=True)))
    assert grids["decoder"].tolist() == [[4, 5], [6, 7]] and list(grids) == [
        "encoder", "decoder", "cross",
    ]  # fmt: skip


def test_answers_are_the_places_most_looked_at(model, sentences):
    maps = patching.cross_maps(model, sentences)
    places = patching.answers(maps, ("cross", 1, 2))
    assert places[1] == maps[1][0, 1].argmax(-1).tolist() and len(places) == 4


def test_a_marked_sentence_has_a_twin_without_its_mark(recipe, sentences):
    source, bare, text, steps = patching.marked_twins(sentences, recipe)
    words, tokens = recipe.vocabularies
    assert words.decode(source[0].tolist()) == [*OLD_SAW.source_tokens]
    assert words.decode(bare[1].tolist()) == [*OLD_SAW.source_tokens[:-1]]
    assert tokens.decode(text[0].tolist()[1:]) == [*OLD_SAW.target_tokens[:-1]]
    assert len(source) == 2 and steps.tolist() == [8, 8] and text.size(1) == 9


def test_the_news_of_a_mark_is_exchanged_in_one_head_only(model, recipe, sentences):
    head, seen = ("cross", 2, 1), []
    block = patching.blocks_of(model)["cross", 2]
    with patching.before(block.output, lambda x: seen.append(x) or x):
        found = patching.marks_next(model, sentences, recipe, head)
    assert list(found) == list(patching.MARK_CASES)
    assert all(0 <= share <= 1 for both in found.values() for share in both)
    # Two healthy passes, the same two watched, two with the head off, two with it exchanged. Ours
    # comes first of the hooks, so it sees what would have gone in.
    assert len(seen) == 8 and not torch.equal(seen[0][:, 8], seen[1][:, 8])
    changed = []
    exchange = block.output.register_forward_pre_hook(lambda _, inputs: changed.append(inputs[0]))
    with evaluating(model):
        model(*patching.marked_twins(sentences, recipe)[::2])
    exchange.remove()
    assert torch.equal(changed[0], seen[0])
    sentences.pairs = [MAP]
    assert patching.marks_next(model, sentences, recipe, head)["healthy"] == [0.0, 0.0]


class Marks(torch.nn.Module):
    """Write a full stop if the first head of the upper cross-attention says 1, else the end."""

    def __init__(self, mark, size):
        super().__init__()
        attention = SimpleNamespace(output=torch.nn.Identity(), n_heads=2, d_head=2)
        layer = SimpleNamespace(self_attention=None, cross_attention=attention)
        self.encoder_layers, self.decoder_layers = [], [layer]
        self.mark, self.size = mark, size

    def forward(self, source, text):
        says = (source != 0).all(1).float()  # the marked ones are longer, by their mark
        context = says.view(-1, 1, 1).expand(-1, text.size(1), 4)
        heads = self.decoder_layers[0].cross_attention.output(context)
        written = torch.where(heads[..., 0] > 0.5, self.mark, EOS)
        return torch.nn.functional.one_hot(written, self.size).float()


def test_a_head_that_says_it_all_is_enough_for_a_mark(recipe, sentences, monkeypatch):
    words, tokens = recipe.vocabularies
    (mark,) = tokens.encode(["。"])
    model = Marks(mark, len(tokens))
    monkeypatch.setattr(
        patching, "blocks_of", lambda model: {("cross", 1): model.decoder_layers[0].cross_attention}
    )
    source, bare, text, steps = patching.marked_twins(sentences, recipe)
    pad = torch.nn.functional.pad(bare, (0, 1))
    monkeypatch.setattr(patching, "marked_twins", lambda *_: (source, pad, text, steps))
    monkeypatch.setattr(patching, "switched_off", lambda model, heads: torch.no_grad())
    found = patching.marks_next(model, sentences, recipe, ("cross", 1, 1))
    assert found["healthy"] == [1.0, 0.0] and found[patching.MARK_CASES[2]] == [0.0, 1.0]
    found = patching.marks_next(model, sentences, recipe, ("cross", 1, 2))
    assert found["healthy"] == found[patching.MARK_CASES[2]] == [1.0, 0.0]


def test_a_switch_of_the_readers_takes_the_place_of_ours(model, sentences, twins):
    heads, asked = [("cross", 1, 1), ("cross", 1, 2)], []

    def switch(context, head, d_head):
        asked.append((head, d_head))
        return patching.mute(context, head, d_head)

    ours = patching.wrong_without(model, sentences, heads)
    assert patching.wrong_without(model, sentences, heads, switch) == ours
    assert {*asked} == {(1, 6), (2, 6)}
    nothing = patching.wrong_without(model, sentences, heads, lambda context, *_: context)
    assert nothing == patching.wrong_without(model, sentences, [])


def test_two_rows_are_patched_at_once(model, twins):
    found = patching.two_by_two(model, twins)
    assert [each[:2] for each in found] == [
        ("its own", "its own"), ("its own", "the twin's"),
        ("silenced", "its own"), ("silenced", "the twin's"),
    ]  # fmt: skip
    healthy = patching.readings(model, twins)[0], patching.score_gap(model, twins)
    assert found[0][2:] == pytest.approx(healthy, abs=1e-6)
    stop = {"top": model.encoder_norm}
    own = patching.vectors_at(model, stop, twins.source, twins.target_in)["top"]
    other = patching.vectors_at(model, stop, twins.twin_source, twins.twin_target_in)["top"]
    both = own.clone()
    both[twins.rows, twins.decider] = (own + other)[twins.rows, twins.decider] / 2
    both[twins.rows, twins.word] = other[twins.rows, twins.word]
    with patching.before(model.encoder_norm, lambda x: both):
        wanted = patching.readings(model, twins)[0], patching.score_gap(model, twins)
    assert found[3][2:] == pytest.approx(wanted, abs=1e-6)
    assert 0 <= patching.turned_by_text(model, twins) <= 1


BOTH = Pair(
    "I saw the saw",
    "我看见那把锯子",
    ((0, 0), (1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (3, 6)),
)


def test_swapped_saws_change_nothing_whatever_the_model(model, recipe):
    saws = patching.two_saws([OLD_SAW, BOTH])
    assert patching.exchanged(model, [], recipe) == 0
    modules = list(patching.stops_of(model.encoder_layers, model.encoder_norm).values())
    assert [patching.exchanged(model, saws, recipe, module) for module in modules[1:]] == [0, 0]
    assert patching.moved(model, saws, recipe, "swap") == [0, 0]
    assert patching.moved(model, saws, recipe, patching.COPIES[0]) == [2, 2]
    assert patching.moved(model, [], recipe, "swap") == [0, 0]


def test_saws_are_copied_one_way(model, recipe, monkeypatch):
    saws, seen = patching.two_saws([OLD_SAW, OLD_SAW, BOTH]), []
    assert [patching.stranger_of(saws, number) for number in range(3)] == [2, 2, 0]
    assert patching.stranger_of(saws[:2], 0) == 0

    def look(model, saws, recipe, module=None, change=None):
        if change:
            seen.append(change(torch.arange(18).view(3, 6, 1))[..., 0].tolist())
        written = torch.tensor([[1, 2], [3, 5 if change else 4], [5, 6]])
        return torch.nn.functional.one_hot(written, 9)

    monkeypatch.setattr(patching, "steps_scored", look)
    for which in patching.COPIES:
        assert patching.copied(model, saws, recipe, model.encoder_norm, which) == [0, 1]
    # The saws of the first two stand at 1 and 4, those of the third at 1 and 3.
    verbs, tools, strangers = seen
    assert verbs == [[0, 1, 2, 3, 1, 5], [6, 7, 8, 9, 7, 11], [12, 13, 14, 13, 16, 17]]
    assert tools == [[0, 4, 2, 3, 4, 5], [6, 10, 8, 9, 10, 11], [12, 15, 14, 15, 16, 17]]
    assert strangers == [[0, 13, 2, 3, 15, 5], [6, 13, 8, 9, 15, 11], [12, 1, 14, 4, 16, 17]]
    assert patching.copied(model, [], recipe, model.encoder_norm, which) == [0, 0]
    everywhere = patching.copy_everywhere(model, saws, recipe)
    assert everywhere == {which: [[0, 1], [0, 1]] for which in patching.COPIES}


def test_one_head_takes_its_channels_from_another_context():
    context, other = torch.zeros(2, 6), torch.ones(2, 6)
    taken = patching.take_head(context, other, 2, 2)
    assert taken.tolist() == [[0, 0, 1, 1, 0, 0]] * 2 and not context.any()


def test_news_of_a_mark_comes_with_one_head_and_its_controls(recipe, sentences, monkeypatch):
    words, tokens = recipe.vocabularies
    (mark,) = tokens.encode(["。"])
    model = Marks(mark, len(tokens))
    attention = model.decoder_layers[0].cross_attention
    monkeypatch.setattr(patching, "blocks_of", lambda model: {("cross", 1): attention})
    monkeypatch.setattr(patching, "heads_of", lambda model: [("cross", 1, 1), ("cross", 1, 2)])
    source, bare, text, steps = patching.marked_twins(sentences, recipe)
    pad = torch.nn.functional.pad(bare, (0, 1))
    monkeypatch.setattr(patching, "marked_twins", lambda *_: (source, pad, text, steps))
    found = patching_cases.marks_given(model, sentences, recipe, ("cross", 1, 1))
    assert dict(zip(patching_cases.NEWS, [0, 1, 0, 1, 0, 0], strict=True)) == found
    found = patching_cases.marks_given(model, sentences, recipe, ("cross", 1, 2))
    assert [*found.values()] == [0, 0, 1, 0, 0, 0]
    asked = []

    def exchange(context, other, head, d_head):
        asked.append((context.shape, head, d_head))
        return patching.take_head(context, other, head, d_head)

    patching_cases.marks_given(model, sentences, recipe, ("cross", 1, 1), exchange)
    assert {*asked} == {((2, 4), 1, 2), ((2, 4), 2, 2)}
    sentences.pairs = [MAP]
    found = patching_cases.marks_given(model, sentences, recipe, ("cross", 1, 1))
    assert {*found.values()} == {0.0}


def test_a_margin_turns_its_sign_at_the_tool(model, recipe, monkeypatch):
    assert patching_cases.saw_margins(model, [], recipe) == {}
    tokens = recipe.vocabularies[1].encode(["看", "锯"])
    scores = torch.zeros(1, 2, len(recipe.vocabularies[1].tokens))
    scores[0, 0, tokens[0]], scores[0, 1, tokens[1]] = 3, 2
    monkeypatch.setattr(patching, "steps_scored", lambda *_: scores)
    monkeypatch.setattr(patching, "change_of", lambda *_: abs)
    found = patching_cases.saw_margins(model, [None], recipe)
    assert found == dict.fromkeys(["as they are", *patching.COPIES[:2]], [3, 2])
