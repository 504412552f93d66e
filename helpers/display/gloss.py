"""A gloss: how a Chinese sentence is read, in pinyin above it, and its English words below."""

import html
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, pairwise

from pypinyin import Style, lazy_pinyin

from helpers.display.heatmaps import Picture
from helpers.text import tokenize

IN_A_LINE = 12  # groups of characters side by side

# pypinyin takes the longest word that it knows, even across the ends of words: in 露西的哥哥 it
# finds a taxi (的哥). So characters that a translation uses in one way get their reading here, by
# what stands before and after them: a pattern for the character, then its reading.
_RULES = """
一 yī  不 bù  个 gè  了(?!解) le  的(?!确) de  谁 shéi  都 dōu  弄 nòng  场 chǎng  片 piàn  脏 zāng
(?<=[一二两三四五六七八九十百几这那哪每])只 zhī  (?<![一这那哪几各两三])种 zhòng  长(?!得|大) cháng
(?<![彼获值懂])得(?!到) de  还(?!给) hái  弹(?!药) tán  为(?=什) wèi  教(?![室堂师授育]) jiāo
便(?=宜) pián  (?<=便)宜 yi  干(?=净) gān  夹(?=克) jiā  发(?=烧) fā  (?<![等招期对接])待 dāi
(?<=妻)子 zi  (?<=爸)爸 ba  (?<=妈)妈 ma  (?<=哥)哥 ge  (?<=姐)姐 jie  (?<=弟)弟 di  (?<=妹)妹 mei
(?<=太)太 tai
""".split()


def pinyin(tokens: Sequence[str]) -> list[str]:
    """Read each token as it is read in its sentence; one without Chinese characters gives "".

    The tones are those of a dictionary: that 一 and 不 change theirs in speech is not written.
    """
    text = "".join(tokens)
    said = lazy_pinyin(text, style=Style.TONE, errors=lambda others: [""] * len(others))
    for pattern, reading in zip(_RULES[::2], _RULES[1::2], strict=True):
        for found in re.finditer(pattern, text):
            said[found.start()] = reading
    left = iter(said)
    return [" ".join(filter(None, (next(left) for _ in token))) for token in tokens]


def readings(sentences: Iterable[Sequence[str]]) -> dict[str, str]:
    """Collect how tokens are read in some sentences: each as mostly, and pairs that differ from it.

    Returns: {"行": "xíng", "银行": "yín háng"}: the longest that matches counts.
    """
    alone, pairs = defaultdict(Counter), defaultdict(Counter)
    for tokens in sentences:
        said = [*zip(tokens, pinyin(tokens), strict=True)]
        for token, reading in said:
            alone[token][reading] += 1
        for (left, first), (right, second) in pairwise(said):
            pairs[left, right][first, second] += 1
    mostly = {token: counts.most_common(1)[0][0] for token, counts in alone.items()}
    found = {token: reading for token, reading in mostly.items() if reading}
    for (left, right), counts in pairs.items():
        both, count = counts.most_common(1)[0]
        differs = both != (mostly[left], mostly[right])
        # 因为我, 以为我: what the token before decides is no reading of the pair 为我.
        if all(both) and differs and count > 0.9 * counts.total():
            found[left + right] = " ".join(both)
    return found


def gloss(sentence, english, links: Collection[tuple[int, int]]) -> Picture:
    """Show a Chinese sentence with its pinyin above and its English, word by word, below.

    sentence, english: a string, or its tokens; links: (i, j) join English token i to Chinese token
    j, both from 0, as in a Pair. Characters in a row that have the same links stand together.
    Returns: a picture for the last line of a cell, a table that needs no colours.
    """
    tokens = tokenize(sentence, lowercase=False) if isinstance(sentence, str) else sentence
    words = tokenize(english, lowercase=False) if isinstance(english, str) else english
    joined = [tuple(i for i, to in sorted(links) if to == j) for j in range(len(tokens))]
    said, columns = pinyin(tokens), []
    # A token without a link stands alone.
    for key, group in groupby(range(len(tokens)), lambda j: joined[j] or -1 - j):
        group = list(group)
        below = " ".join(words[i] for i in key) if isinstance(key, tuple) else ""
        reading = " ".join(filter(None, (said[j] for j in group)))
        columns.append((reading, "".join(tokens[j] for j in group), below))
    lines = [columns[start : start + IN_A_LINE] for start in range(0, len(columns), IN_A_LINE)]
    text = "".join(map(_rows_of, lines))
    return Picture(f'<div class="gloss">{text}</div>', f"gloss: {''.join(tokens)}")


def _rows_of(columns: list[tuple[str, str, str]]) -> str:
    """Write groups as three rows: readings, characters, English words."""
    names, sizes, rows = ("pinyin", "Chinese", "English"), ("12px", "20px", "12px"), ""
    for name, size, row in zip(names, sizes, zip(*columns, strict=True), strict=True):
        style = f'style="text-align:center;font-size:{size};padding:0 5px"'
        lang = ' lang="zh"' if name == "Chinese" else ""
        cells = "".join(f"<td{lang} {style}>{html.escape(text)}</td>" for text in row)
        rows += f'<tr><th style="text-align:left;font-size:11px">{name}</th>{cells}</tr>'
    return f'<table style="margin:2px 0">{rows}</table>'
