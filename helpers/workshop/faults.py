"""The chosen faults: mistakes that people make, each a change of a function's syntax tree."""

from helpers.workshop.patterns import Fault


def _in(where: str, *faults: tuple) -> list[Fault]:
    """Give each fault (name, left, right, perhaps the occurrence) the place that they share."""
    return [Fault(name, where, *change) for name, *change in faults]


FAULTS: list[Fault] = [
    # ---------------------------------------------------------------- helpers
    *_in(
        "helpers/masks.py:causal_keep",
        ("triu for tril", "$ONES.tril($SHIFT)", "$ONES.triu($SHIFT)"),
        ("a token does not see itself", "$ONES.tril($SHIFT)", "$ONES.tril($SHIFT - 1)"),
        ("mask without the cached keys", "$ONES.tril($SHIFT)", "$ONES.tril()"),
    ),
    *_in(
        "helpers/masks.py:padding_keep",
        ("padding inverted", "$IDS != $PAD", "$IDS == $PAD"),
        ("queries hidden, not keys", "$REAL[:, None, None, :]", "$REAL[:, None, :, None]"),
    ),
    # ---------------------------------------------------------------- data
    *_in(
        "data/make_corpus.py:finish",
        ("alignment counted from 1", 'f"{$I}-{$J}"', 'f"{$I + 1}-{$J + 1}"'),
        ("link written target first", 'f"{$I}-{$J}"', 'f"{$J}-{$I}"'),
        (
            "link of the final mark one too early",
            "$LINKS.append((len($ENGLISH), len($CHINESE)))",
            "$LINKS.append((len($ENGLISH) - 1, len($CHINESE) - 1))",
        ),
        ("Chinese question with a full stop", '"？" if $PHRASE.question else "。"', '"。"'),
    ),
    *_in(
        "data/make_corpus.py:build",
        (
            "no line feed at the end",
            '"".join($PAIR.line() for $PAIR in $PAIRS)',
            '"".join($PAIR.line() for $PAIR in $PAIRS).strip()',
        ),
    ),
    *_in("data/make_corpus.py:main", ("line ends of Windows", r'"\n"', r'"\r\n"')),
    *_in(
        "data/make_corpus.py:Splitter.draw",
        ("a sentence may come again", "self.used.add($KEY)", ""),
        (
            "held-out pair only where it is its own relation",
            "$PAIRS = [$RELATION for $RELATION in $PHRASE.relations if $HELD]\n"
            'if $ODD or ($WANTED == "ordinary" and self.together($KEY)):\n'
            "    continue",
            "$PAIRS = [$RELATION for $RELATION in $PHRASE.relations if $HELD]\n"
            'if $ODD or ($WANTED == "ordinary" and $PAIRS):\n'
            "    continue",
        ),
        (
            "no longest training sentence",
            "not $LEAST <= len($KEY) <= LONGEST_ENGLISH",
            "len($KEY) < $LEAST",
        ),
    ),
    *_in(
        "data/make_corpus.py:Splitter.ordinary",
        (
            "parts drawn with overlap",
            "$PHRASES.pop(self.rng.randrange(len($PHRASES)))",
            "$PHRASES[self.rng.randrange(len($PHRASES))]",
        ),
    ),
    *_in(
        "data/make_corpus.py:Splitter.__init__",
        (
            "probes not set aside",
            "{normalised($PAIR.english) for $PAIR in probe_pairs()}",
            "set()",
        ),
        ("random sentences without a seed", "Random($SEED)", "Random()"),
    ),
    *_in(
        "data/make_corpus.py:forms_of",
        (
            "held-out pair only in the singular",
            "{$NOUN.english, $NOUN.plural}",
            "{$NOUN.english}",
        ),
    ),
    *_in(
        "data/make_corpus.py:Splitter.long",
        (
            "long in one language only",
            "len($PHRASE.english) > $ENGLISH and len($PHRASE.chinese) > $CHINESE",
            "len($PHRASE.english) > $ENGLISH or len($PHRASE.chinese) > $CHINESE",
        ),
    ),
    *_in(
        "data/make_corpus.py:Splitter.check_translation",
        (
            "two translations not noticed",
            "self.translations.setdefault($KEY, $CHINESE)",
            "self.translations.get($KEY, $CHINESE)",
        ),
    ),
    *_in(
        "data/grammar.py:join",
        (
            "links do not move with a phrase",
            "($LEFT[$NAME] + $I, $RIGHT[$NAME] + $J)",
            "($LEFT[$NAME] + $I, $LEFT[$NAME] + $J)",
        ),
    ),
    *_in(
        "data/grammar.py:Grammar.without",
        ("links do not move when 的 goes", "($I, $J - ($J > $PLACE))", "($I, $J)"),
    ),
    *_in(
        "data/grammar.py:gloss",
        (
            "only the first character linked",
            "[$LINK for $I in range(len($LEFT)) for $J in range(len($RIGHT))]",
            "[$LINK for $I in range(len($LEFT)) for $J in range(min(1, len($RIGHT)))]",
        ),
    ),
    *_in(
        "data/grammar.py:Grammar.counted",
        (
            "measure word linked to the noun",
            "(len($PHRASE.english) - 1, len($PHRASE.chinese))",
            "(len($PHRASE.english), len($PHRASE.chinese))",
        ),
    ),
    *_in(
        "data/grammar.py:Grammar.noun_phrase",
        ("个 for everything", "$NOUN.measure", '"个"'),
        (
            "a or an by the noun, not by the next word",
            "$BODY.english[0][0]",
            "$ARG1.english[0]",
        ),
    ),
    *_in(
        "data/grammar.py:Grammar.predicate",
        ("no -s in the third person", "$VERB.third", "$VERB.base"),
    ),
    *_in(
        "data/grammar.py:Grammar.timed",
        ("time behind the Chinese verb", '"{s}{t}{v}"', '"{s}{v}{t}"'),
    ),
    *_in(
        "data/grammar.py:Grammar.predicate",
        ("不 for what did not happen", '"didn\'t:没"', '"didn\'t:不"'),
    ),
    *_in("data/grammar.py:number", ("二 for two things", '"two:两"', '"two:二"')),
    *_in(
        "data/simple.py:SimpleSentences.make_how_many",
        ("几个 for everything", 'f"how many:几{$NOUN.measure}"', '"how many:几个"'),
    ),
    *_in(
        "data/constructions.py:Constructions.make_relative_object",
        ("relative clause behind the Chinese noun", '"{c}的{d}{n}"', '"{d}{n}{c}的"'),
    ),
    *_in(
        "data/lexicon.py:VERBS",
        (
            "saw, the verb, read as a tool",
            '"$BEFORE| 看见 | 看见 |$BEHIND"',
            '"$BEFORE| 看见 | 锯 |$BEHIND"',
        ),
    ),
    *_in(
        "data/lexicon.py:NOUNS",
        ("wrong measure word in the lexicon", '"$BEFORE马 匹$BEHIND"', '"$BEFORE马 只$BEHIND"'),
    ),
]
