"""Accepted translations: what else is right for a sentence of the test."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from helpers.text import tokenize

if TYPE_CHECKING:
    from .splits import Line

COUNT = 300
MOST = 3  # references of a sentence, with the one of the corpus
# (what stands in the translation, what is as good, an English word that must be there)
EXCHANGES = [
    ("正在", "在", "ing"),
    ("妈妈", "母亲", "mother"),
    ("爸爸", "父亲", "father"),
    ("非常", "很", "very"),
    ("但是", "可是", "but"),
    ("如果", "要是", "if"),
    ("哪里", "哪儿", "where"),
    ("昨晚", "昨天晚上", "night"),
    ("妻子", "太太", "wife"),
    ("丈夫", "先生", "husband"),
    ("还没", "还没有", "yet"),
    ("辆汽车", "辆车", "car"),
    ("男人", "男的", "man"),
    ("女人", "女的", "woman"),
    ("早饭", "早餐", "breakfast"),
    ("午饭", "午餐", "lunch"),
    ("晚饭", "晚餐", "dinner"),
    ("自行车", "单车", "bike"),
    ("漂亮", "好看", "beautiful"),
    ("上周", "上个星期", "week"),
    ("下周", "下个星期", "week"),
    ("每天晚上", "每晚", "evening"),
    ("大衣", "外套", "coat"),
    ("想念", "想", "misses"),
    ("照片", "相片", "photo"),
    ("公共汽车", "公交车", "bus"),
    ("今天早上", "今早", "morning"),
    ("戒指", "指环", "ring"),
    ("很多", "许多", "many"),
    ("这里", "这儿", "here"),
    ("那里", "那儿", "there"),
    ("没", "没有", "didn"),
]
TIMES = ("昨天", "明天", "上周", "下周", "今天早上", "今天晚上", "昨晚")
# constructions of one clause, where a time may stand before the subject as well as behind it
ONE_CLAUSE = (
    "measure_words", "negation_past", "future", "time_and_place", "motion", "two_objects",
)  # fmt: skip


def others(line: "Line") -> Iterator[str]:
    """Give what else would be right, the most different first."""
    english, chinese = " ".join(tokenize(line.english)), line.chinese
    if line.construction in ONE_CLAUSE and "？" not in chinese:
        for time in TIMES:
            before, found, behind = chinese.partition(time)
            if found and before and "的" not in behind[: behind.find("了")]:
                yield time + before + behind
    for this, other, word in EXCHANGES:
        if chinese.count(this) == 1 and word in english:
            yield chinese.replace(this, other)


def references(test: Iterable["Line"]) -> Iterator[str]:
    """Write lines of English and its accepted translations, the one of the corpus first."""
    written = 0
    for line in test:
        accepted = [line.chinese, *dict.fromkeys(others(line))][:MOST]
        if len(accepted) > 1 and written < COUNT:
            written += 1
            yield "\t".join((line.english, *accepted)) + "\n"
