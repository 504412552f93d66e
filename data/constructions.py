"""The other kinds of sentence: phrases inside phrases, comparisons, 把 and 被, two clauses."""

from dataclasses import replace

from grammar import EMPTY, Phrase, be, gloss, join
from simple import FEELINGS, SimpleSentences

from lexicon import (
    EASY,
    EATERS,
    GAME_WORDS,
    GAMES,
    MANY,
    MEN,
    NAMES,
    PRONOUNS,
    STUDY_WORDS,
    SUBJECTS_AT_SCHOOL,
    TOPIC_WORDS,
    TOPICS,
    WOMEN,
    Adjective,
    Noun,
)

LOCAL = {"on": "上", "under": "下面", "in": "里", "behind": "后面", "beside": "旁边"}
SUPPORTS = {
    "on": ("table", "bed", "chair"),
    "under": ("table", "bed", "chair", "tree"),
    "in": ("box", "bag"),
    "behind": ("door", "tree", "house"),
    "beside": ("bed", "window", "table", "door"),
}
CONTENTS = {
    "on": ("cat", "small", "fruit", "dish", "drink"),
    "under": ("cat", "dog", "ball", "toy", "bag", "box", "hat", "rabbit", "bird"),
    "in": ("paper", "key", "ring", "fruit", "watch", "toy", "phone", "knife"),
    "behind": ("dog", "cat", "bike", "bag", "box", "child", "rabbit"),
    "beside": ("dog", "cat", "bike", "chair", "bag", "umbrella", "box", "child", "girl", "boy"),
}
INDOOR = ("kitchen", "office", "classroom", "room", "shop")
OUTDOOR = ("garden", "park", "zoo")
MOTIONS = [
    # English third person and past, preposition, Chinese, who, over what
    (
        "jumps",
        "jumped",
        "over",
        "跳过",
        ("dog", "cat", "fox", "rabbit", "horse", "tiger", "monkey"),
        ("dog", "cat", "fox", "box", "chair", "table", "wall", "rabbit", "snake", "duck", "ball"),
    ),
    (
        "jumps",
        "jumped",
        "over",
        "跳过",
        ("dog", "cat", "fox", "rabbit", "horse", "tiger", "monkey"),
        ("dog", "cat", "fox", "box", "chair", "table", "wall", "rabbit", "snake", "duck", "ball"),
    ),
    (
        "runs",
        "ran",
        "into",
        "跑进",
        ("pet", "youth", "monkey"),
        ("kitchen", "garden", "classroom", "shop", "house"),
    ),
    (
        "walks",
        "walked",
        "into",
        "走进",
        ("person",),
        ("kitchen", "classroom", "office", "library", "hotel", "shop"),
    ),
    (
        "walks",
        "walked",
        "past",
        "走过",
        ("person", "horse", "dog"),
        ("museum", "station", "house", "bridge", "tree"),
    ),
    (
        "flies",
        "flew",
        "over",
        "飞过",
        ("bird", "duck"),
        ("river", "mountain", "house", "garden", "tree", "bridge"),
    ),
    ("swims", "swam", "across", "游过", ("dog", "duck", "snake", "person", "horse"), ("river",)),
    ("climbs", "climbed", "up", "爬上", ("cat", "monkey", "youth"), ("tree", "mountain", "wall")),
]
SKILLS = [
    "swim:游泳",
    "cook:做饭",
    "dance:跳舞",
    "sing:唱歌",
    "draw:画画",
    "speak:说 English:英语",
    "speak:说 Chinese:中文",
    "ride:骑 a bike:自行车",
    "ride:骑 a horse:马",
    "drive:开 a car:汽车",
    "drive:开 a truck:卡车",
]
MODALS = ["must:必须", "should:应该", "may:可以", "want_to:想", "have_to:得"]
ALLOWED = (
    "go",
    "watch",
    "eat",
    "drink",
    "borrow",
    "rest",
    "read",
    "visit",
    "feed",
)  # what one may do
MODALS_NOT = ["shouldn't:不应该", "don't_want_to:不想", "don't_have_to:不用"]
# Opposites for "this box is heavy, but that bag is light", and what they are said of
OPPOSITES = [
    ("big", "small", ("animal", "house", "room", "bag", "box")),
    ("new", "old", ("vehicle", "device", "furniture", "clothes")),
    ("expensive", "cheap", ("clothes", "headwear", "device", "bike", "ticket")),
    ("clean", "dirty", ("clothes", "dish")),
    ("heavy", "light", ("box", "bag", "furniture", "computer")),
    ("tall", "short", ("kin",)),
]
COMPARABLE = (
    "animal",
    "tool",
    "furniture",
    "paper",
    "clothes",
    "headwear",
    "vehicle",
    "device",
    "container",
    "dish",
    "fruit",
    "plant",
    "work",
    "building",
)
NOT_COMPARED = ("hungry", "tired", "old", "clean", "dirty", "fresh", "lazy", "quick", "short")
# (who gives what) English past, Chinese, order of the Chinese, tags of the thing
GIVINGS = [
    ("gave", "给", "{s}{t}{v}了{r}{o}", ("small", "present", "clothes", "fruit")),
    ("lent", "借给", "{s}{t}{v}了{r}{o}", ("lost", "saw", "knife", "bike", "car", "guitar")),
    ("sold", "卖给", "{s}{t}{v}了{r}{o}", ("vehicle", "furniture", "device", "house")),
    ("showed", "看", "{s}{t}给{r}{v}了{o}", ("view", "map", "watch", "ring", "letter")),
    ("told", "讲", "{s}{t}给{r}{v}了{o}", ("story",)),
    (
        "bought",
        "买",
        "{s}{t}给{r}{v}了{o}",
        ("clothes", "headwear", "book", "toy", "cake", "present", "phone", "bike", "drink"),
    ),
    ("sent", "寄", "{s}{t}给{r}{v}了{o}", ("letter", "book", "photo", "present", "map", "toy")),
    ("asked", "问", "{s}{t}{v}了{r}{o}", ("question",)),
]
RESULTS = {
    "eat": "吃掉",
    "break": "打破",
    "steal": "偷走",
    "fix": "修好",
    "find": "找到",
    "catch": "抓住",
    "sell": "卖掉",
    "bite": "咬",
    "clean": "打扫干净",
    "wash": "洗干净",
}


class Constructions(SimpleSentences):
    """Draws every kind of sentence."""

    # ---------------------------------------------------------------- phrases inside phrases

    def make_relative_subject(self) -> Phrase:
        """The man who bought the car is my neighbor: the clause stands before 那个男人."""
        noun = self.noun_with("person")
        names = [
            "buy",
            "find",
            "lose",
            "steal",
            "break",
            "fix",
            "write",
            "draw",
            "help",
            "borrow",
            "feed",
            "clean",
            "sell",
            "plant",
        ]
        verbs = [self.verb[name] for name in names if self.fits(noun, self.verb[name].subjects)]
        draw = self.rng.random()
        if draw < 0.55:
            verb = self.pick(verbs)
            clause = join(
                "{v} {o} {t}",
                "{t}{v}{o}",
                v=f"{verb.past}:{verb.done}",
                t=self.perhaps_time("past", 0.3),
                o=self.thing(
                    verb, "relative", replace(gloss(f":{noun.chinese}"), word=noun.english)
                ),
            )
        elif draw < 0.85 or "adult" not in noun.tags:
            verb = self.verb_of("sleep dance sing run laugh rest fish cook swim")
            clause = join(
                "is {v} {p}",
                "{p}{v}",
                v=f"{verb.ing}:{verb.chinese}",
                p=self.place(self.pick(verb.places)),
            )
        else:
            verb = self.verb["work"]
            clause = join(
                "{v} {p}",
                "{p}{v}",
                p=self.place(self.pick(verb.places)),
                v=f"{verb.third}:{verb.chinese}",
            )
        who = join(
            "{d} {n} who {c}",
            "{c}的{d}{n}",
            d=f"the:那{noun.measure}",
            n=self.described(noun, False, 0.2),
            c=clause,
        )
        who = who.relate("subject-verb", noun.english, verb.base)
        draw = self.rng.random()
        if draw < 0.35:
            return join("{w} {b} {k}", "{w}{b}{k}", w=who, b="is:是", k=self.relation_of(noun))
        if draw < 0.7:
            taken = [word for word in self.after[noun.english] if word.english not in who.english]
            return self.is_said(who, self.said(self.pick(taken), noun))
        subject = self.pronoun()
        know = gloss("knows:认识") if subject.agree == "he" else gloss("know:认识")
        return join("{s} {k} {w}", "{s}{k}{w}", s=subject, k=know, w=who)

    def relation_of(self, noun: Noun) -> Phrase:
        """Give my neighbor, her son...: who the noun can be to somebody."""
        options = {
            "man": "father brother husband friend teacher neighbor",
            "woman": "mother sister wife friend teacher neighbor",
            "boy": "brother son friend",
            "girl": "sister daughter friend",
            "child": "son daughter friend",
            "neighbor": "friend teacher",
            "student": "friend brother sister son daughter neighbor",
            "teacher": "friend mother father neighbor",
        }
        word = self.pick(
            options.get(
                noun.english, "friend brother sister neighbor mother father son daughter"
            ).split()
        )
        return self.possessive(
            self.first_owner(word),
            replace(gloss(f"{word}:{self.noun[word].chinese}"), word=word),
            close=True,
        )

    def make_relative_object(self) -> Phrase:
        """The book that I bought yesterday is interesting: 我昨天买的那本书."""
        while True:
            verb = self.verb_of(
                "buy see find read write draw wash fix borrow watch hear steal lose sell"
            )
            noun = self.noun_with(*verb.objects)
            if (
                noun.measure != "-"
                and self.after[noun.english]
                and not {"person", "known"} & {*noun.tags}
            ):
                break
        subject = self.subject(verb.subjects)
        clause = join(
            "{s} {v} {t}",
            "{s}{t}{v}",
            v=f"{verb.past}:{verb.done}",
            s=subject.does(verb),
            t=self.perhaps_time("past", 1.0 if verb.base == "read" else 0.4),
        )
        thing = join(
            "{d} {n} that {c}",
            "{c}的{d}{n}",
            d=f"the:那{noun.measure}",
            n=self.described(noun, False, 0.35, colours=True),
            c=clause,
        ).undergoes(verb, noun)
        if self.chance(0.7):
            return self.is_said(thing, self.said(self.pick(self.after[noun.english]), noun))
        subject = self.pronoun()
        while subject.english == ("you",):
            subject = self.pronoun()
        like = gloss("likes:喜欢") if subject.agree == "he" else gloss("like:喜欢")
        return join("{s} {k} {w}", "{s}{k}{w}", s=subject, k=like, w=thing)

    def make_possessive(self) -> Phrase:
        """My teacher's wife's phone is new: 的 in a chain."""
        steps = self.pick([1, 1, 1, 2, 2])
        while True:
            noun = self.noun_with("goods", "pet", "house")
            if self.after[noun.english] and "food" not in noun.tags:
                break
        owner = self.genitive(self.kin(steps)) if self.chance(0.85) else self.first_owner()
        while owner.chinese.count("的") > 2:  # a chain too heavy to say
            owner = self.genitive(self.kin(steps))
        thing = replace(
            self.possessive(owner, self.described(noun, False, 0.2, colours=True)),
            word=noun.english,
        )
        draw = self.rng.random()
        ways = [
            name
            for name in ("see", "borrow", "find", "wash")
            if self.fits(noun, self.verb[name].objects)
        ]
        if draw < 0.55 or (draw >= 0.75 and not ways):
            return self.is_said(
                thing, self.said(self.pick(self.after[noun.english]), noun), negative=0.15
            )
        if draw < 0.75:
            return join(
                "{t} {b} {s}", "{t}{b}{s}", t=self.pick(["this:这", "that:那"]), b="is:是", s=thing
            )
        verb = self.verb[self.pick(ways)]
        return self.clause(
            "past", 0.0, 0.2, subject=self.subject(), verb=verb, thing=thing.undergoes(verb, noun)
        )

    # ---------------------------------------------------------------- qualities

    def make_adjective(self) -> Phrase:
        """This room is very clean: 很, 非常, 不."""
        noun = self.pick([noun for noun in self.nouns if self.after[noun.english]])
        agree = "he"
        if "kin" in noun.tags:
            owner = self.first_owner(noun.english)
            subject = self.possessive(owner, gloss(f"{noun.english}:{noun.chinese}"), close=True)
        elif "mass" in noun.tags:
            subject = self.noun_phrase(replace(noun, tags=("place",)), "the", 0.0)
        elif noun.plural != "-" and self.chance(0.4):
            kind = (
                "plural_the"
                if "person" in noun.tags
                else self.pick(["these", "those", "plural_the"])
            )
            subject, agree = self.noun_phrase(noun, kind, 0.3, colours=True), "they"
        else:
            kind = self.pick(["the", "this", "that"]) if "place" not in noun.tags else "the"
            subject = self.noun_phrase(noun, kind, 0.2, colours=True)
        return self.is_said(
            subject, self.said(self.pick(self.after[noun.english]), noun), agree, negative=0.25
        )

    def make_comparative(self) -> Phrase:
        """My brother is taller than Tom: 比, without 很."""
        word, left, right = self.two_to_compare()
        compared = (
            f"{word.compared}:{word.after}"
            if word.compared != "-"
            else f"more {word.english}:{word.after}"
        )
        if self.chance(0.2):
            return join(
                "{l} {b} {m} {a} {t} {r}",
                "{l}{t}{r}{a}{m}",
                l=left,
                r=right,
                b=be(left.agree),
                a=compared,
                t="than:比",
                m="much:得多",
            )
        return join(
            "{l} {b} {a} {t} {r}",
            "{l}{t}{r}{a}",
            l=left,
            r=right,
            b=be(left.agree),
            a=compared,
            t="than:比",
        )

    def make_equality(self) -> Phrase:
        """This cat is as big as that dog: 和…一样; not as big as: 没有…那么."""
        word, left, right = self.two_to_compare()
        quality = f"{word.english}:{word.after}"
        if self.chance(0.5):
            return join(
                "{l} {b} {e} {a} as {r}",
                "{l}和{r}{e}{a}",
                l=left,
                r=right,
                b=be(left.agree),
                e="as:一样",
                a=quality,
            )
        negation = f"{be(left.agree)}n't:没有" if left.agree != "I" else "am not:没有"
        return join(
            "{l} {n} {e} {a} as {r}",
            "{l}{n}{r}{e}{a}",
            l=left,
            r=right,
            n=negation,
            e="as:那么",
            a=quality,
        )

    def two_to_compare(self) -> tuple[Adjective, Phrase, Phrase]:
        """Draw an adjective and two things that can be compared by it."""
        while True:
            word = self.pick(
                [
                    word
                    for word in self.adjectives
                    if word.after != "-" and word.english not in NOT_COMPARED
                ]
            )
            fitting = [
                noun
                for noun in self.nouns
                if word in self.after[noun.english]
                and not {"mass", "place", "known"} & {*noun.tags}
            ]
            if any("kin" in noun.tags for noun in fitting) and self.chance(0.5):
                left = self.subject(("person",), plain=self.chance(0.6))
                if left.word and word not in self.after[left.word]:
                    continue
                right = self.somebody(left)
                if word.english in left.english + right.english:
                    continue
                if (
                    word.english == "young"
                    and "youth" in self.noun.get(right.word, self.noun["man"]).tags
                ):
                    continue
                return word, left.relate("adjective-noun", word.english, left.word), right
            things = [noun for noun in fitting if self.fits(noun, COMPARABLE)]
            if not things:
                continue
            noun = self.pick(things)
            kinds = tuple(tag for tag in noun.tags if tag in COMPARABLE)
            other = self.pick([other for other in things if self.fits(other, kinds)])
            if "animal" in noun.tags and word.english in ("big", "small"):
                other = noun
            kinds = (
                [("this", "that"), ("that", "this")]
                if noun == other
                else [("the", "the"), ("this", "that"), ("the", "own")]
            )
            first, second = self.pick(kinds)
            if second == "own" and (
                "food" in other.tags or ("animal" in other.tags and "ownable" not in other.tags)
            ):
                second = "the"
            left = self.noun_phrase(noun, first, 0.2, colours=True).relate(
                "adjective-noun", word.english, noun.english
            )
            right = self.noun_phrase(other, second, 0.2, colours=True).relate(
                "adjective-noun", word.english, other.english
            )
            return word, left, right

    def make_topic(self) -> Phrase:
        """Machine learning is fun; this is an old bike; Tom is a doctor."""
        draw = self.rng.random()
        if draw < 0.5:
            name = self.pick(TOPICS)
            unfit = GAME_WORDS if name in SUBJECTS_AT_SCHOOL else STUDY_WORDS
            words = [word for word in TOPIC_WORDS if word.partition(":")[0] not in unfit]
            if name.partition(":")[0] in EASY:
                words.append("easy:容易")
            topic, word = gloss(name), gloss(self.pick(words))
            if self.chance(0.12):
                return join("is {s} {a}", "{s}{a}吗", True, s=topic, a=word)
            return self.is_said(topic, word, negative=0.2)
        if draw < 0.75:
            while True:
                noun = self.noun_with("goods", "animal", "work", "building", "letter", "truck")
                if self.before[noun.english]:
                    return join(
                        "{s} {b} {o}",
                        "{s}{b}{o}",
                        s=self.pick(["this:这", "that:那"]),
                        b="is:是",
                        o=self.noun_phrase(noun, "a", 1.0),
                    )
        noun = self.noun_with("role", "writer", "singer", "student")
        subject = self.pick([gloss(self.pick(NAMES)), self.kin(), self.kin(), self.pronoun()])
        if subject.agree == "they" or subject.word == noun.english:
            subject = gloss(self.pick(NAMES))
        return join(
            "{s} {b} {o}",
            "{s}{b}{o}",
            s=subject,
            b=f"{be(subject.agree)}:是",
            o=self.noun_phrase(noun, "a", 0.6),
        )

    # ---------------------------------------------------------------- places and movements

    def make_existential(self) -> Phrase:
        """There is a cat on the table: 桌子上有一只猫."""
        if self.chance(0.4):
            indoor = self.chance(0.6)
            noun = self.noun_with(*(INDOOR if indoor else OUTDOOR))
            place = join("{p} the {n}", "{n}{p}", p="in:里", n=f"{noun.english}:{noun.chinese}")
            tags = (
                ("person", "pet", "furniture", "device")
                if indoor
                else (
                    "person",
                    "pet",
                    "bird",
                    "duck",
                    "fox",
                    "monkey",
                    "horse",
                    "cow",
                    "flower",
                    "tree",
                    "bike",
                )
            )
        else:
            preposition = self.pick(list(SUPPORTS))
            noun = self.noun_with(*SUPPORTS[preposition])
            place = join(
                "{p} the {n}",
                "{n}{p}",
                p=f"{preposition}:{LOCAL[preposition]}",
                n=f"{noun.english}:{noun.chinese}",
            )
            tags = CONTENTS[preposition]
        thing = self.noun_with(*tags)
        while thing == noun or thing.english == "neighbor":
            thing = self.noun_with(*tags)
        if thing.plural != "-" and self.chance(0.15):
            some = self.noun_phrase(thing, "any")
            if self.chance(0.5):
                return join("{b} there {t} {p}", "{p}{b}{t}吗", True, b="are:有", t=some, p=place)
            return join("there {n} {t} {p}", "{p}{n}{t}", n="aren't:没有", t=some, p=place)
        if thing.plural == "-" or self.chance(0.6):
            return join(
                "there {b} {t} {p}",
                "{p}{b}{t}",
                b="is:有",
                t=self.noun_phrase(thing, "a", 0.35),
                p=place,
            )
        roomy = noun.english in ("tree", *OUTDOOR, *INDOOR)
        most = 99 if thing.english in MANY and roomy else 9
        some = self.noun_phrase(
            thing, self.pick(["count", "count", "count", "some"]), 0.25, most=most
        )
        return join("there {b} {t} {p}", "{p}{b}{t}", b="are:有", t=some, p=place)

    def make_motion(self) -> Phrase:
        """The quick brown fox jumps over the lazy dog: 跳过."""
        third, past, preposition, chinese, who, goals = self.pick(MOTIONS)
        subject = self.subject(who, plain=self.chance(0.7))
        if subject.word and "animal" in self.noun[subject.word].tags:
            noun = self.noun[subject.word]
            subject = self.noun_phrase(noun, self.pick(["the", "the", "the", "that"]), 0.6)
        noun = self.noun_with(*goals)
        while noun.english == subject.word:
            noun = self.noun_with(*goals)
        goal = self.noun_phrase(
            noun,
            self.pick(["the", "the", "the", "that"]) if "place" not in noun.tags else "the",
            0.45,
        )
        if subject.word:
            verb = {
                "jumps": "jump",
                "runs": "run",
                "walks": "walk",
                "flies": "fly",
                "swims": "swim",
                "climbs": "climb",
            }[third]
            subject = replace(subject.relate("subject-verb", subject.word, verb))
        if subject.agree == "he" and self.chance(0.6):
            return join(
                "{s} {v} {o}", "{s}{v}{o}", s=subject, v=f"{third}_{preposition}:{chinese}", o=goal
            )
        return join(
            "{s} {v} {o}", "{s}{v}了{o}", s=subject, v=f"{past}_{preposition}:{chinese}", o=goal
        )

    # ---------------------------------------------------------------- feelings, gifts, 把 and 被

    def make_feeling(self) -> Phrase:
        """I love him; she likes swimming."""
        subject = self.subject()
        verb = self.pick(["love", "love", "like", "like", "like", "know", "miss"])
        form = FEELINGS[verb][0] if subject.agree == "he" else verb
        return join(
            "{s} {v} {o}",
            "{s}{v}{o}",
            s=subject,
            v=f"{form}:{FEELINGS[verb][1]}",
            o=self.liked(verb, subject),
        )

    def make_two_objects(self) -> Phrase:
        """He gave me two tickets: 给."""
        subject = self.subject()
        receiver = self.somebody(subject)
        if self.chance(0.1):
            return join(
                "{s} {v} {r} {o}",
                "{s}{v}{r}{o}",
                s=subject,
                v="teaches:教" if subject.agree == "he" else "teach:教",
                r=receiver,
                o=self.pick(SUBJECTS_AT_SCHOOL),
            )
        past, chinese, order, tags = self.pick(GIVINGS)
        noun = self.noun_with(*tags)
        kind = self.pick(["a", "a", "a", "a", "count", "this", "that", "the"])
        thing = self.noun_phrase(
            noun, kind if noun.plural != "-" or kind != "count" else "a", 0.35, most=4
        )
        base = {"gave": "give", "bought": "buy", "sold": "sell"}.get(past, past)
        return join(
            "{s} {v} {r} {o} {t}",
            order,
            s=subject,
            v=f"{past}:{chinese}",
            r=receiver,
            o=thing.relate("verb-object", base, noun.english),
            t=self.perhaps_time("past", 0.2),
        )

    def make_ba(self) -> Phrase:
        """Mary put the umbrella on the table: 把."""
        subject, when, draw = self.subject(), self.perhaps_time("past", 0.12), self.rng.random()
        kinds = ["the", "the", "the", "this", "that", "own"]
        if draw < 0.5:
            preposition = self.pick(list(SUPPORTS))
            support = self.noun_with(*SUPPORTS[preposition])
            put = {
                "on": ("small", "dish", "fruit"),
                "in": ("paper", "key", "ring", "watch", "knife", "toy"),
                "under": ("tool", "box", "bag", "ball", "toy", "umbrella", "book", "key", "letter"),
                "behind": ("hammer", "box", "bag", "ball", "toy", "umbrella"),
                "beside": ("guitar", "box", "bag", "ball", "toy", "umbrella", "chair"),
            }[preposition]
            noun = self.noun_with(*put)
            while noun == support or noun.english == "ticket":
                noun = self.noun_with(*put)
            place = join(
                "{p} the {n}",
                "{n}{p}",
                p=f"{preposition}:{LOCAL[preposition]}",
                n=f"{support.english}:{support.chinese}",
            )
            verb = (
                "hid:藏"
                if preposition in ("under", "in", "behind") and self.chance(0.4)
                else "put:放"
            )
            return join(
                "{s} {v} {o} {p} {t}",
                "{s}{t}把{o}{v}在了{p}",
                s=subject,
                v=verb,
                p=place,
                t=when,
                o=self.noun_phrase(noun, self.pick(kinds), 0.3),
            )
        if draw < 0.65:
            thing = self.noun_phrase(
                self.noun_with("light", "radio", "computer", "phone"), self.pick(kinds), 0.1
            )
            verb = self.pick(["turned_on:打开", "turned_off:关掉"])
            return join("{s} {v} {o} {t}", "{s}{t}把{o}{v}了", s=subject, o=thing, v=verb, t=when)
        if draw < 0.85:
            verb, away = self.pick([("took:拿", "away:走"), ("threw:扔", "away:掉")])
            thing = self.noun_phrase(
                self.noun_with("small", "dish", "clothes"), self.pick(kinds), 0.3
            )
            return join(
                "{s} {v} {o} {w} {t}",
                "{s}{t}把{o}{v}{w}了",
                s=subject,
                o=thing,
                v=verb,
                w=away,
                t=when,
            )
        thing = self.noun_phrase(
            self.noun_with("lost", "saw", "knife", "bike", "car"), self.pick(kinds[:-1]), 0.25
        )
        return join(
            "{s} {v} {o} {b} to {r} {t}",
            "{s}{t}把{o}{b}{v}了{r}",
            s=subject,
            o=thing,
            v="gave:给",
            b="back:还",
            r=self.somebody(subject),
            t=when,
        )

    def make_bei(self) -> Phrase:
        """The cake was eaten by the dog: 被."""
        verb = self.verb[self.pick(list(RESULTS))]
        agent = self.subject(verb.subjects, plain=True) if self.chance(0.65) else EMPTY
        if verb.base in ("bite", "wash", "clean", "fix", "find") and not agent.english:
            agent = self.subject(
                verb.subjects, plain=True
            )  # without somebody who did it, 被 sounds translated
        while True:
            noun = self.noun_with(
                *(EATERS.get(agent.word, verb.objects) if verb.base == "eat" else verb.objects)
            )
            if noun.english != agent.word and ("person" not in noun.tags or verb.base == "bite"):
                break
        kinds = ["the", "the", "the", "this", "that"]
        if "food" not in noun.tags and ("animal" not in noun.tags or "ownable" in noun.tags):
            kinds.append("own")
        thing = self.noun_phrase(
            noun, self.pick(kinds) if not {"place", "person"} & {*noun.tags} else "the", 0.3
        )
        agent = agent.does(verb)
        parts = {
            "o": thing.undergoes(verb, noun),
            "a": agent,
            "t": self.perhaps_time("past", 0.2),
            "v": f"{verb.participle}:{RESULTS[verb.base]}",
            "b": "by:被" if agent.english else ":被",
        }
        if self.chance(0.2) and verb.base not in ("wash", "clean"):
            return join("{o} {n} {v} {b} {a} {t}", "{o}{t}{n}{b}{a}{v}", n="wasn't:没", **parts)
        return join("{o} was {v} {b} {a} {t}", "{o}{t}{b}{a}{v}了", **parts)

    def make_modal(self) -> Phrase:
        """You must read this book: 必须; my sister can play the piano: 会."""
        if self.chance(0.4):
            game, chinese = self.pick(GAMES)
            skill = (
                gloss(self.pick(SKILLS))
                if self.chance(0.5)
                else join("{v} {g}", "{v}{g}", v=f"play:{chinese}", g=game)
            )
            if self.chance(0.3):
                return join("{c} {s} {k}", "{s}{c}{k}吗", True, c="can:会", s=self.asked(), k=skill)
            return join(
                "{s} {m} {k}",
                "{s}{m}{k}",
                s=self.subject(),
                m=self.pick(["can:会", "can:会", "can't:不会"]),
                k=skill,
            )
        verb = self.planned()
        subject = self.subject(verb.subjects)
        negative = self.chance(0.3)
        modal = self.pick(MODALS_NOT if negative else MODALS)
        if modal.startswith("may") and verb.base not in ALLOWED:
            modal = "should:应该"
        if subject.agree == "he":
            modal = (
                modal.replace("don't", "doesn't")
                if negative
                else modal.replace("want_", "wants_").replace("have_", "has_")
            )
        return self.clause(
            "modal_not" if negative else "modal", 0.2, 0.25, modal=modal, subject=subject, verb=verb
        )

    # ---------------------------------------------------------------- two clauses

    def referent(self) -> tuple[Phrase, Phrase]:
        """Draw somebody and the pronoun for them later on: Tom and he, I and I."""
        names, pronoun = self.pick([(MEN, "he:他"), (WOMEN, "she:她")])
        if self.chance(0.5):
            return gloss(self.pick(names)), gloss(pronoun)
        person = self.pronoun()
        return person, person

    def make_coordination(self) -> Phrase:
        """I like coffee, but she likes tea: 但是; Tom bought a hat and Mary bought a ring."""
        first, second = self.rng.sample(NAMES, 2)
        if self.chance(0.3):
            first = self.pick(["I:我", "she:她" if second in MEN else "he:他"])
        left, right = (
            replace(gloss(name), agree="I" if name == "I:我" else "he") for name in (first, second)
        )
        draw = self.rng.random()
        if draw < 0.5:
            one, two = self.parallel("past" if draw < 0.3 else "progressive", left, right)
        elif draw < 0.65:
            skill = self.pick(SKILLS)
            return join(
                "{a} {c} {k}, {u} {b} {d}",
                "{a}{c}{k}，{u}{b}{d}",
                a=left,
                b=right,
                c="can:会",
                d="can't:不会",
                k=skill,
                u="but:但是",
            )
        elif draw < 0.8:
            one, two = (
                join(
                    "{s} {v} {o}",
                    "{s}{v}{o}",
                    s=person,
                    v="like:喜欢" if person.agree == "I" else "likes:喜欢",
                    o=thing,
                )
                for person, thing in zip((left, right), self.rng.sample(TOPICS, 2), strict=True)
            )
        else:
            one, two = self.opposites()
        if draw < 0.5 or (draw < 0.65 and self.chance(0.5)):
            return join("{a} and {b}", "{a}，{b}", a=one, b=two)
        return join("{a}, {c} {b}", "{a}，{c}{b}", a=one, c="but:但是", b=two)

    def parallel(self, tense: str, left: Phrase, right: Phrase) -> tuple[Phrase, Phrase]:
        """Give two clauses about two people: one verb in the past, any two in the progressive."""
        human = {"person", "adult", "youth"}
        while True:
            verb, other = self.draw_verb(tense), self.draw_verb(tense)
            if tense == "past":
                other = verb
            if not (human & {*verb.subjects} and human & {*other.subjects}) or (
                tense == "past" and not verb.objects
            ):
                continue
            one = self.clause(tense, 0, 0, subject=left, verb=verb)
            two = self.clause(tense, 0, 0, subject=right, verb=other)
            if one.chinese[-1] != two.chinese[-1]:
                return one, two

    def opposites(self) -> tuple[Phrase, Phrase]:
        """Give this box is heavy and that bag is light."""
        first, second, tags = self.pick(OPPOSITES)
        tag = self.pick(tags)  # both of one kind: nobody compares a box with a cat
        words = {word.english: word for word in self.adjectives}
        kind = [noun for noun in self.nouns if tag in noun.tags]
        one = self.pick([noun for noun in kind if words[first] in self.after[noun.english]])
        two = self.pick([noun for noun in kind if words[second] in self.after[noun.english]])
        if self.chance(0.5):
            first, second, one, two = second, first, two, one
        if "kin" in one.tags:
            left, right = self.kin(), self.kin()
        else:
            left, right = (
                self.noun_phrase(one, "this", 0.2, colours=True),
                self.noun_phrase(two, "that", 0.2, colours=True),
            )
        one, two = self.noun[left.word], self.noun[right.word]
        return (
            join("{s} is {a}", "{s}很{a}", s=left, a=self.said(words[first], one)),
            join("{s} is {a}", "{s}很{a}", s=right, a=self.said(words[second], two)),
        )

    def make_because(self) -> Phrase:
        """Tom went home because he was tired: 因为…，所以…, the name first in Chinese."""
        draw = self.rng.random()
        if draw < 0.25:
            return self.because_of_a_thing()
        if draw < 0.5:
            return self.because_of_the_weather()
        somebody, again = self.referent()
        was = be(somebody.agree, past=True)
        if draw < 0.58:
            feeling, verb = self.pick([("happy:高兴", "laugh"), ("sad:难过", "cry")])
            state = join("{b} {a}", "很{a}", b=was, a=feeling)
            _, predicate = self.core("past", 0.5, subject=again, verb=self.verb[verb])
        elif draw < 0.7:
            state = join("{b} {a}", "很{a}", b=was, a="hungry:饿")
            _, predicate = self.core("past", 0.1, subject=again, verb=self.verb["eat"])
        else:
            quality = self.pick(["tired:累", "busy:忙", "sad:难过"])
            state = join("{b} {a}", "很{a}", b=was, a=quality)
            if self.chance(0.3):
                state = join("had a {c}", "{c}了", c="cold:感冒")
            verb = self.verb_of("read write wash clean water watch go dance cook visit run swim")
            _, predicate = self.core("past_not", 0.1, subject=again, verb=verb)
            while "hospital" in predicate.english:
                _, predicate = self.core("past_not", 0.1, subject=again, verb=verb)
        order = "{w} {s} {r}, {a} {m}" if self.chance(0.3) else "{s} {m} {w} {a} {r}"
        return join(
            order,
            "{w}{s}{r}，所以{a}{m}",
            w="because:因为",
            s=somebody,
            a=again,
            r=state,
            m=predicate,
        )

    def because_of_a_thing(self) -> Phrase:
        """He bought the shirt because it was cheap: the shirt is named in the Chinese reason."""
        bought, qualities = self.pick(
            [
                ("bought:买 :了", ("cheap:便宜", "beautiful:漂亮")),
                ("didn't:没 buy:买", ("expensive:贵",)),
            ]
        )
        noun = self.noun_with(
            "clothes", "headwear", "furniture", "device", "bike", "guitar", "car", "painting"
        )
        quality = self.pick(
            [
                word
                for word in qualities
                if any(word.startswith(one.english) for one in self.after[noun.english])
            ]
            or ["expensive:贵"] * (bought[0] == "d")
            or ["new:新"]
        )
        thing = self.noun_phrase(noun, self.pick(["the", "the", "this", "that"]), 0.3, colours=True)
        subject = self.subject()
        return join(
            "{s} {v} {o} {w} it was {a}",
            "{w}{o}很{a}，所以{s}{v}",
            s=subject.relate("subject-verb", subject.word, "buy"),
            v=bought,
            o=thing.relate("verb-object", "buy", noun.english),
            w="because:因为",
            a=quality,
        )

    def because_of_the_weather(self) -> Phrase:
        """We stayed at home because it was raining."""
        subject = self.subject()
        stayed = join("{v}", "{v}", v="stayed:待 at:在 home:家里")
        weather = self.pick(
            ["it was raining:下雨了", "it was cold:天气很冷", "it was hot:天气很热"]
        )
        if self.chance(0.12):
            predicate = stayed
        elif self.chance(0.4):
            names = ["go", "go", "go", "run", "swim", "visit", "water"]
            verb = self.verb[
                self.pick(names if "hot" in weather or "cold" in weather else names[:5])
            ]
            subject = self.subject(verb.subjects)
            subject, predicate = self.core("past_not", 0.1, subject=subject, verb=verb)
        else:
            subject = self.subject(plain=True)
            verb, tags = self.pick(
                {
                    "r": [
                        ("buy", ("umbrella",)),
                        ("borrow", ("umbrella",)),
                        ("close", ("opening",)),
                    ],
                    "c": [
                        ("wear", ("coat", "sweater", "scarf", "hat")),
                        ("close", ("opening",)),
                        ("drink", ("hotdrink",)),
                    ],
                    "h": [("open", ("opening",)), ("drink", ("colddrink",)), ("buy", ("drink",))],
                }[weather[7]]
            )
            _, predicate = self.core(
                "past", 0.0, subject=subject, verb=replace(self.verb[verb], objects=tags)
            )
        main = join("{s} {v}", "{s}{v}", s=subject, v=predicate)
        order = "{w} {r}, {m}" if self.chance(0.3) else "{m} {w} {r}"
        return join(order, "{w}{r}，所以{m}", w="because:因为", r=weather, m=main)

    def make_if(self) -> Phrase:
        """If it rains tomorrow, we will stay at home: 如果…，就."""
        draw = self.rng.random()
        subject = self.pronoun()
        when = self.pick(["", "tomorrow:明天"])
        if draw < 0.3:
            condition = join(
                "it {r} {t}", "{t}{r}", r=self.pick(["rains:下雨", "snows:下雪"]), t=when
            )
            main = self.consequence(subject, ("home", "not", "read", "watch", "home"))
        elif draw < 0.6:
            other = self.subject(plain=True) if self.chance(0.4) else gloss(self.pick(NAMES))
            condition = join("{s} {c} {t}", "{s}{t}{c}", s=other, c="comes:来", t=when)
            main = self.consequence(subject, ("happy", "happy", "go", "watch", "visit"))
        else:
            states = {
                "tired:累": ("home", "rest", "not", "rest"),
                "hungry:饿": ("eat", "eat", "buy_food"),
                "busy:忙": ("not",),
                "free:有空": ("read", "go", "visit", "write", "draw", "clean", "help"),
            }
            state = self.pick(list(states))
            condition = join(
                "{s} {b} {a}",
                {"f": "{s}{a}", "b": "{s}很{a}"}.get(state[0], "{s}{a}了"),
                s=subject,
                a=state,
                b=be(subject.agree),
            )
            if state.startswith("busy") and self.chance(0.5):
                helper = self.pronoun()
                while helper.english == subject.english:
                    helper = self.pronoun()
                accusative = next(p for p in PRONOUNS if p[0] == subject.english[0])
                main = join(
                    "{s} {w} {h} {o}",
                    "{s}就{w}{h}{o}",
                    s=helper,
                    w="will:会",
                    h="help:帮助",
                    o=f"{accusative[1]}:{accusative[3]}",
                )
            else:
                main = self.consequence(subject, states[state])
        order = "{m} {w} {c}" if self.chance(0.4) else "{w} {c}, {m}"
        return join(order, "{w}{c}，{m}", w="if:如果", c=condition, m=main)

    def consequence(self, subject: Phrase, ways: tuple[str, ...]) -> Phrase:
        """Say what somebody will do then."""
        way = self.pick(ways)
        fixed = {"home": "stay:待 at:在 home:家里", "happy": "be :很 happy:高兴"}
        if way in fixed:
            return join("{s} {w} {v}", "{s}就{w}{v}", s=subject, w="will:会", v=fixed[way])
        tense = "future_not" if way == "not" else "future"
        verb = self.verb[{"not": "go", "buy_food": "buy"}.get(way, way)]
        if way == "buy_food":
            verb = replace(verb, objects=("food",))
        if way == "read":
            verb = replace(verb, objects=("book", "magazine"))
        if way == "rest":
            _, predicate = self.core("modal", 0.5, modal="should:应该", subject=subject, verb=verb)
        else:
            _, predicate = self.core(tense, 0.1, subject=subject, verb=verb)
            while "hospital" in predicate.english:
                _, predicate = self.core(tense, 0.1, subject=subject, verb=verb)
        return join("{s} {v}", "{s}就{v}", s=subject, v=predicate)
