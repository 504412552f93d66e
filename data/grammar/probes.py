"""The probe sentences: none is in the corpus, but every word and pattern of theirs is."""

from .phrase import join
from .splits import Line, finish

FOX = "the:那只 quick:敏捷的 brown:棕色 fox:狐狸"

# English template, Chinese template, parts: what is in both templates is linked. Where English does
# not say which brother is meant, a probe stands twice, with both of its translations.
PROBES = [
    ("{a}", "{a}", {"a": "I:我 saw:看见 :了 a:一把 saw:锯子"}),
    (
        "{a} {j} {o} {b}",
        "{a}{o<}{b}{o>}{j}",
        {"a": FOX, "j": "jumps:跳过去", "o": "over:从/身上", "b": "the:那只 lazy:懒 dog:狗"},
    ),
    ("{a}", "{a}", {"a": "I:我 love:爱 you:你"}),
    ("{a} is {b}", "{a}很{b}", {"a": "machine:机器 learning:学习", "b": "fun:有趣"}),
    (
        "{a} {b} {t}",
        "{a}{t}{b}",
        {"a": "Tom:汤姆", "t": "yesterday:昨天", "b": "bought:买 :了 an:一把 old:旧 saw:锯子"},
    ),
    (
        "{a} was {v} {b}",
        "{a}{b}{v}了",
        {"a": "the:那个 cake:蛋糕", "v": "eaten:吃掉", "b": "by:被 the:那只 black:黑 cat:猫"},
    ),
    (
        "{a} {v} {b} {p} the {n}",
        "{a}把{b}{v}{p<}了{n}{p>}",
        {
            "a": "Mary:玛丽",
            "v": "put:放",
            "b": "the:那把 red:红 umbrella:雨伞",
            "p": "on:在/上",
            "n": "table:桌子",
        },
    ),
    *(
        (
            "{a} is {c} {t} {b}",
            "{a}{t}{b}{c}",
            {
                "a": f"my:我 brother:{who}",
                "b": "your:你 father:爸爸",
                "c": "taller:高",
                "t": "than:比",
            },
        )
        for who in ("哥哥", "弟弟")
    ),
    (
        "{a} is {y} {c} {t} {b}",
        "{a}{t}{b}{c}{y}",
        {
            "a": "my:我 sister:妹妹",
            "y": "two:两 years:岁",
            "c": "younger:小",
            "t": "than:比",
            "b": "me:我",
        },
    ),
    (
        "the {n} that {s} {v} {t} is {d}",
        "{s}{t}{v}的那本{n}{d}",
        {
            "n": "book:书",
            "s": "I:我",
            "v": "borrowed:借",
            "t": "yesterday:昨天",
            "d": "very:非常 interesting:有趣",
        },
    ),
    ("{a}", "{a}", {"a": "she:她 didn't:没 buy:买 the:那块 watch:手表"}),
    ("have {s} ever {v}?", "{s}{v}吗", {"s": "you:你", "v": "been_to:去过 Beijing:北京"}),
    (
        "{w} did {s} {v} {o}?",
        "{s}是{w}{v}{o}的",
        {"w": "where:在哪里", "s": "Anna:安娜", "v": "buy:买", "o": "the:那把 guitar:吉他"},
    ),
    (
        "there {b} {o} {p} the {n}",
        "{n}{p}{b}{o}",
        {"b": "are:有", "o": "twenty:二十 - two:二只 birds:鸟", "p": "under:下面", "n": "tree:树"},
    ),
    (
        "{a} is {b}",
        "{a}很{b}",
        {"a": "my:我 teacher:老师 's:的 wife:妻子 's:的 phone:手机", "b": "new:新"},
    ),
    ("{a}", "{a}", {"a": "he:他 gave:给 :了 me:我 two:两张 tickets:票"}),
    (
        "{a} {b} {v} {p} the {n}",
        "{a}{b}{p<}{n}{p>}{v}",
        {
            "a": "the children:孩子们",
            "b": "are:正",
            "v": "playing:踢 football:足球",
            "p": "in:在/里",
            "n": "park:公园",
        },
    ),
    (
        "{i} it {r} {t}, {b}",
        "{i}{t}{r}，{b}",
        {
            "i": "if:如果",
            "r": "rains:下雨",
            "t": "tomorrow:明天",
            "b": "we:我们 will:就 stay:待 at:在 home:家里",
        },
    ),
    (
        "{c} {s} {k}?",
        "{s}{c}{k}吗",
        {"c": "can:会", "s": "your:你 mother:妈妈", "k": "play:弹 the piano:钢琴"},
    ),
]


def probe_lines() -> list[Line]:
    """Finish the probe sentences, without final marks."""
    made = [join(english.rstrip("?"), chinese, **parts) for english, chinese, parts in PROBES]
    return [finish(phrase, "probe", marked=False) for phrase in made]
