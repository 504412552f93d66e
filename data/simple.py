"""The simpler kinds of sentence, questions too: a method named ``make_...`` draws one."""

from dataclasses import replace

from grammar import EMPTY, Grammar, Phrase, be, do, gloss, have, join, number

from lexicon import CITIES, GAMES, MANY, MEN, TOPICS, WOMEN, Adjective, Noun, Verb

FEELINGS = {
    "love": ("loves", "爱"),
    "like": ("likes", "喜欢"),
    "know": ("knows", "认识"),
    "miss": ("misses", "想念"),
}
# How old somebody can be
AGES = {
    "child": (5, 12),
    "boy": (5, 17),
    "girl": (5, 17),
    "student": (8, 24),
    "son": (5, 30),
    "daughter": (5, 30),
    "brother": (12, 48),
    "sister": (5, 40),
    "mother": (40, 70),
    "father": (40, 70),
    "grandmother": (70, 93),
    "friend": (10, 70),
    "neighbor": (20, 90),
    "man": (20, 89),
    "woman": (20, 89),
}
PLANS = (
    "buy",
    "read",
    "write",
    "draw",
    "wash",
    "fix",
    "visit",
    "clean",
    "help",
    "feed",
    "plant",
    "water",
    "borrow",
    "study",
    "work",
    "rest",
    "watch",
    "eat",
    "drink",
    "go",
)


class SimpleSentences(Grammar):
    """Draws sentences of one clause without phrases inside phrases."""

    def said(self, word: Adjective, noun: Noun) -> Phrase:
        """Give an adjective as it stands after `is`."""
        return gloss(f"{word.english}:{word.after}").relate(
            "adjective-noun", word.english, noun.english
        )

    def is_said(
        self, subject: Phrase, quality: Phrase, agree: str = "he", negative: float = 0.0
    ) -> Phrase:
        """Say what something is like: 很 without another adverb, 非常 for very, 不 for not."""
        if self.chance(negative):
            if (
                quality.chinese[0] == "有"
            ):  # nobody says 不有趣: what is not 有趣 is 没意思, what is not 有用 is 没用
                rest = {"趣": "意思"}.get(quality.chinese[1], quality.chinese[1])
                dull = gloss(f"{quality.english[0]}:{rest}")
                quality = replace(quality, chinese=dull.chinese, links=dull.links)
                return join(
                    "{s} {n} {a}", "{s}{n}{a}", s=subject, n=f"{be(agree)}n't:没", a=quality
                )
            return join("{s} {n} {a}", "{s}{n}{a}", s=subject, n=f"{be(agree)}n't:不", a=quality)
        if self.chance(0.3):
            return join(
                "{s} {b} {d} {a}", "{s}{d}{a}", s=subject, b=be(agree), d="very:非常", a=quality
            )
        return join("{s} {b} {a}", "{s}很{a}", s=subject, b=be(agree), a=quality)

    def any_place(self) -> Phrase:
        """Give the museum, the zoo...: places where not everybody has been."""
        return self.noun_phrase(self.noun_with("museum", "zoo", "library", "hotel"), "the", 0.0)

    def liked(self, verb: str, subject: Phrase) -> Phrase:
        """Draw what one loves, likes or knows."""
        draw = self.rng.random()
        if verb != "like" or draw < 0.35:
            return self.somebody(subject)
        if draw < 0.65:
            return gloss(self.pick(TOPICS))
        if draw < 0.85:
            return self.noun_phrase(
                self.counted_noun("pet", "fruit", "flower", "horse", "bird", "book"),
                "bare",
                0.2,
                colours=True,
            )
        return self.noun_phrase(
            self.noun_with("goods", "work", "animal"), self.pick(["the", "this", "that"]), 0.4
        )

    # ---------------------------------------------------------------- words with two readings

    def make_two_readings(self) -> Phrase:
        """I saw a saw: words whose Chinese depends on the rest of the sentence."""
        ways = [
            self.saw_something,
            self.saw_something,
            self.saw_something,
            self.saw_something,
            self.light_or_lamp,
            self.open_or_not,
            self.open_or_not,
            self.left_or_right,
            self.right_or_left,
            self.cold_or_a_cold,
            self.hard_work,
            self.like_somebody,
            self.fishing,
        ]
        return self.pick(ways)()

    def saw_something(self) -> Phrase:
        """I saw a saw; he bought a watch; she ate an orange."""
        verbs = {
            "saw": ["see", "see", "see", "buy", "find", "borrow"],
            "watch": ["see", "buy", "find", "lose"],
            "fish": ["see", "draw"],
            "orange": ["eat", "wash", "buy", "see"],
            "can": ["buy", "open"],
            "drink": ["buy"],
            "light": ["buy", "fix"],
        }
        noun = self.noun[
            self.pick(["saw", "saw", "saw", "watch", "fish", "orange", "can", "drink", "light"])
        ]
        verb = self.verb[self.pick(verbs[noun.english])]
        tense = self.pick(["past", "past", "past", "past_not"])
        kinds = ["a", "a", "a", "that", "this"] if tense == "past" else ["this", "that"]
        if "known" not in noun.tags:
            kinds.append("the")
        thing = self.noun_phrase(noun, self.pick(kinds), 0.4).undergoes(verb, noun)
        return self.clause(
            tense, 0.0, 0.3, verb=verb, subject=self.subject(("person",)), thing=thing
        )

    def light_or_lamp(self) -> Phrase:
        """This bag is light; that light is expensive."""
        if self.chance(0.3):
            subject = self.noun_phrase(
                self.noun["light"], self.pick(["this", "that", "own"]), 0.2, colours=True
            )
            return self.is_said(
                subject,
                gloss(self.pick(["new:新", "old:旧", "expensive:贵", "cheap:便宜"])),
                negative=0.2,
            )
        noun = self.noun_with("container", "furniture", "coat", "umbrella", "computer", "guitar")
        subject = self.noun_phrase(
            noun, self.pick(["the", "this", "that", "own"]), 0.4, colours=True
        )
        if self.chance(0.35):
            return join(
                "{s} is {d} {a}",
                "{s}{d}{a}了",
                s=subject,
                d="too:太",
                a=self.pick(["light:轻", "heavy:重"]),
            )
        return self.is_said(subject, gloss("light:轻"), negative=0.3)

    def open_or_not(self) -> Phrase:
        """The door is open; Tom opened the door."""
        if self.chance(0.3):
            return self.clause("past", 0.0, 0.3, verb=self.verb["open"])
        noun = self.noun_with(
            "opening",
            "container",
            "bottle",
            "library",
            "museum",
            "supermarket",
            "shop",
            "restaurant",
            "zoo",
        )
        kinds = ["the", "this", "that", "own"]
        kind = (
            "the"
            if "place" in noun.tags
            else self.pick(kinds[:3] if "opening" in noun.tags else kinds)
        )
        subject = self.noun_phrase(noun, kind, 0.3, colours=True)
        now = self.pick(["", "now:现在"])
        if self.chance(0.6):
            return join("{s} is {a} {t}", "{s}{t}{a}", s=subject, a="open:开着", t=now)
        return join("{s} {n} {a} {t}", "{s}{t}{n}{a}", s=subject, n="isn't:没", a="open:开", t=now)

    def left_or_right(self) -> Phrase:
        """Tom left the office; the office is on the left."""
        if self.chance(0.3):
            return self.clause("past", 0.0, 0.4, verb=self.verb["leave"])
        noun = self.noun_with(
            "building", "place", "vehicle", "furniture", "container", "device", "clothes"
        )
        side = self.pick(["left:左边", "right:右边"])
        return join("{s} is on the {r}", "{s}在{r}", s=self.noun_phrase(noun, "the", 0.5), r=side)

    def right_or_left(self) -> Phrase:
        """You are right; the car is on the right."""
        if self.chance(0.35):
            subject = self.subject()
            return join(
                "{s} {b} {a}", "{s}{b}{a}的", s=subject, b=f"{be(subject.agree)}:是", a="right:对"
            )
        return self.left_or_right()

    def cold_or_a_cold(self) -> Phrase:
        """He has a cold; he drinks cold water every day."""
        subject = self.subject()
        if self.chance(0.5):
            return join(
                "{s} {h} a {c} {t}",
                "{s}{t}{c}了",
                s=subject,
                h=have(subject.agree),
                c="cold:感冒",
                t=self.pick(["", "now:现在"]),
            )
        drink = join(
            "{v} {a} {o}",
            "{v}{a}{o}",
            v="drinks:喝" if subject.agree == "he" else "drink:喝",
            a=self.pick(["cold:冷", "hot:热"]),
            o=self.pick(["water:水", "milk:牛奶"]),
        )
        return self.timed(subject, drink, "present", 1.0)

    def hard_work(self) -> Phrase:
        """She works hard; the question is hard."""
        if self.chance(0.3):
            subject = self.noun_phrase(
                self.noun["question"], self.pick(["the", "this", "that", "own"])
            )
            return self.is_said(subject, gloss("hard:难"), negative=0.3)
        if self.chance(0.3):
            return self.is_said(gloss(self.pick(TOPICS)), gloss("hard:难"), negative=0.3)
        verb = self.verb_of("work study")
        subject = self.subject(verb.subjects)
        if self.chance(0.5):
            form = verb.third if subject.agree == "he" else verb.base
            return self.timed(
                subject,
                join("{v} {h}", "{h}{v}", v=f"{form}:{verb.chinese}", h="hard:努力"),
                "present",
                1.0,
            )
        return join(
            "{s} {b} {v} {h}",
            "{s}{b}{h}{v}",
            s=subject,
            b=f"{be(subject.agree)}:正在",
            v=f"{verb.ing}:{verb.chinese}",
            h="hard:努力",
        )

    def like_somebody(self) -> Phrase:
        """Tom looks like his father; she likes him."""
        names, owner = self.pick([(MEN, "his:他"), (WOMEN, "her:她")])
        subject = (
            gloss(self.pick(names))
            if self.chance(0.6)
            else gloss(owner.replace("his", "he").replace("her", "she"))
        )
        relative = self.noun[self.pick(["mother", "father", "brother", "sister", "grandmother"])]
        person = (
            gloss(f"{owner} {relative.english}:{relative.chinese}")
            if self.chance(0.5)
            else self.somebody(subject)
        )
        return join("{s} looks {l} {p}", "{s}长得{l}{p}", s=subject, l="like:像", p=person)

    def fishing(self) -> Phrase:
        """They like to fish by the river; the man is fishing."""
        if self.chance(0.5):
            return self.clause("progressive", 0.5, 0.2, verb=self.verb["fish"])
        subject = self.subject()
        like = gloss("likes:喜欢") if subject.agree == "he" else gloss("like:喜欢")
        where = self.place("bank") if self.chance(0.5) else EMPTY
        return join("{s} {l} to {f} {p}", "{s}{l}{p}{f}", s=subject, l=like, p=where, f="fish:钓鱼")

    # ------------------------------------------------------ nouns with measure words and numbers

    def make_measure_words(self) -> Phrase:
        """Tom bought an old saw: the measure word waits for the noun."""
        verb = self.verb_of("buy buy see find draw borrow lose wash fix sell")
        while True:
            noun = self.noun_with(*verb.objects)
            if not {"mass", "person", "known"} & {*noun.tags}:
                break
        thing = self.noun_phrase(noun, self.pick(["a", "a", "a", "this", "that"]), 0.65)
        return self.clause("past", 0.0, 0.3, verb=verb, thing=thing.undergoes(verb, noun))

    def make_numbers(self) -> Phrase:
        """She bought twenty-two books: 两 alone, 二 inside a number."""
        draw = self.rng.random()
        if draw < 0.35:
            verb = self.verb_of("buy buy see find draw eat lose wash")
            noun = self.counted_noun(*verb.objects)
            most = 99 if noun.english in MANY and verb.base in ("buy", "see", "draw") else 9
            thing = self.noun_phrase(noun, "count", 0.25, most=most).undergoes(verb, noun)
            return self.clause(
                "past", 0.0, 0.3, verb=verb, subject=self.subject(("person",)), thing=thing
            )
        subject = self.subject()
        if draw < 0.65:
            noun = (
                self.counted_noun("goods", "small", "ownable")
                if self.chance(0.4)
                else self.counted_noun(
                    "book",
                    "apple",
                    "orange",
                    "egg",
                    "flower",
                    "chair",
                    "table",
                    "cup",
                    "plate",
                    "bowl",
                    "ticket",
                    "letter",
                    "duck",
                )
            )
            thing = self.noun_phrase(noun, "count", 0.25, most=99 if noun.english in MANY else 12)
            return join(
                "{s} {h} {o}", "{s}{h}{o}", s=subject, h=f"{have(subject.agree)}:有", o=thing
            )
        while subject.agree == "they" and subject.english != ("you",):
            subject = self.subject()
        youngest, oldest = AGES.get(subject.word, (5, 80) if not subject.word else (24, 64))
        return join(
            "{s} {b} {n} {y}",
            "{s}{n}{y}",
            s=subject,
            b=be(subject.agree),
            y="years_old:岁",
            n=number(
                self.rng.randint(
                    youngest, min(oldest, 19) if youngest == 5 and self.chance(0.75) else oldest
                )
            ),
        )

    # ---------------------------------------------------------------- tense and negation

    def make_time_and_place(self) -> Phrase:
        """Tom bought a book in the shop yesterday: time, place, then the verb."""
        tense = self.pick(["past", "past", "present", "present", "present", "future"])
        while True:
            verb = self.draw_verb(tense)
            if tense == "present" and self.chance(0.11):
                verb = self.verb[self.pick(["read", "read", "water"])]
            if verb.places and verb.kind != "sound" or verb.base == "go":
                return self.clause(tense, 0.85, 0.85 if tense == "past" else 1.0, verb=verb)

    def make_negation_past(self) -> Phrase:
        """She didn't buy the watch: 没 and no 了."""
        return self.clause("past_not", 0.15, 0.35)

    def make_negation_present(self) -> Phrase:
        """He doesn't drink coffee: 不; he won't go to the park: 不会."""
        if self.chance(0.35):
            return self.clause("future_not", 0.1, 0.9)
        if self.chance(0.5):
            subject = self.subject()
            verb = self.pick(["love", "like", "know"])
            return join(
                "{s} {n} {v} {o}",
                "{s}{n}{v}{o}",
                s=subject,
                n=f"{do(subject.agree)}n't:不",
                v=f"{verb}:{FEELINGS[verb][1]}",
                o=self.liked(verb, subject),
            )
        return self.clause("present_not", 0.3, 0.0)

    def make_progressive(self) -> Phrase:
        """The children are playing in the park: 正在."""
        return self.clause(self.pick(["progressive"] * 5 + ["progressive_not"] * 3), 0.45, 0.15)

    def make_future(self) -> Phrase:
        """Tom will buy a car tomorrow: 会; he is going to buy one: 打算."""
        if self.chance(0.4):
            verb = self.planned()
            while verb.base == "work":
                verb = self.planned()
            subject = self.subject(verb.subjects)
            return self.clause(
                "modal",
                0.2,
                0.6,
                modal=f"{be(subject.agree)} going_to:打算",
                subject=subject,
                verb=verb,
            )
        return self.clause("future", 0.25, 0.9)

    def planned(self) -> Verb:
        """Draw what people plan, want or have to do."""
        verb = self.verb[self.pick(PLANS)]
        return replace(
            verb,
            subjects=tuple(tag for tag in verb.subjects if tag in ("person", "adult", "youth")),
        )

    def make_experience(self) -> Phrase:
        """I have been to Beijing; he has never seen a fox: 过."""
        draw = self.rng.random()
        if draw < 0.4:
            verb = join(
                "{v} to {g}",
                "{v}{g}",
                v="been:去过",
                g=self.any_place() if self.chance(0.5) else self.pick(CITIES),
            )
        elif draw < 0.8:
            verb = self.seen_or_read()
        else:
            game, chinese = self.pick(GAMES)
            verb = join("{v} {g}", "{v}{g}", v=f"played:{chinese}过", g=game)
        if self.chance(0.35):
            subject = self.asked()
            return join(
                "{h} {s} ever {v}", "{s}{v}吗", True, h=have(subject.agree), s=subject, v=verb
            )
        subject = self.subject()
        never = "never:从来没" if self.chance(0.45) else ""
        return join(
            "{s} {h} {n} {v}", "{s}{n}{v}", s=subject, h=have(subject.agree), n=never, v=verb
        )

    def seen_or_read(self) -> Phrase:
        """Give seen a fox, 见过狐狸; read this book, 看过这本书."""
        noun = self.noun_with("animal", "work", "readable")
        while noun.english in (
            "fish",
            "duck",
            "bird",
            "cat",
            "dog",
            "rabbit",
        ):  # whoever asks has seen these
            noun = self.noun_with("animal", "work", "readable")
        words = {
            "animal": "seen:见过",
            "song": "heard:听过",
            "story": "heard:听过",
            "film": "watched:看过",
        }
        verb = next((words[tag] for tag in (noun.english, *noun.tags) if tag in words), "read:看过")
        if "animal" in noun.tags:
            thing = gloss(
                f"{'an' if noun.english[0] in 'aeiou' else 'a'} {noun.english}:{noun.chinese}"
            )
        else:
            thing = self.noun_phrase(noun, self.pick(["this", "that", "the"]), 0.5)
        base = {"seen:见过": "see", "heard:听过": "hear", "watched:看过": "watch"}.get(verb, "read")
        return join("{v} {o}", "{v}{o}", v=verb, o=thing.relate("verb-object", base, noun.english))

    def make_perfect(self) -> Phrase:
        """Mary has already bought the tickets: 已经; hasn't yet: 还没."""
        verb = self.verb_of("buy sell find write eat wash fix feed close open clean water")
        subject = self.subject(verb.subjects)
        thing = self.thing(verb, "perfect", subject)
        subject = subject.does(verb)
        if self.chance(0.6):
            again = verb.base in ("wash", "feed", "clean", "water")  # 已经浇过花了
            order = "{s}{a}{v}过{o}了" if again else "{s}{a}{v}了{o}"
            verb = replace(verb, done="写完") if verb.base == "write" else verb
            return join(
                "{s} {h} {a} {v} {o}",
                order,
                s=subject,
                h=have(subject.agree),
                a="already:已经",
                v=f"{verb.participle}:{verb.done}",
                o=thing,
            )
        return join(
            "{s} {n} {v} {o} {y}",
            "{s}{y}{n}{v}{o}",
            s=subject,
            n=f"{have(subject.agree)}n't:没",
            y="yet:还",
            v=f"{verb.participle}:{verb.chinese}",
            o=thing,
        )

    # ---------------------------------------------------------------- questions

    def make_yes_no(self) -> Phrase:
        """Did you buy the book: 吗."""
        draw = self.rng.random()
        if draw < 0.5:
            verb = self.draw_verb("question")
            subject = self.asked(verb.subjects)
            thing = self.thing(verb, "question", subject)
            chinese = (
                "戴"
                if verb.base == "wear" and "headwear" in self.noun[thing.word].tags
                else verb.chinese
            )
            return join(
                "did {s} {v} {o} {t}",
                "{s}{t}{v}{o}了吗",
                True,
                s=subject.does(verb),
                v=f"{verb.base}:{chinese}",
                o=thing,
                t=self.perhaps_time("past", 0.3),
            )
        subject = self.asked()
        if draw < 0.7:
            verb = self.pick(["love", "like", "know"])
            return join(
                "{d} {s} {v} {o}",
                "{s}{v}{o}吗",
                True,
                d=do(subject.agree),
                s=subject,
                v=f"{verb}:{FEELINGS[verb][1]}",
                o=self.liked(verb, subject),
            )
        if draw < 0.85:
            word = self.pick(["tired:累", "hungry:饿", "busy:忙", "happy:高兴"])
            return join("{b} {s} {a}", "{s}{a}吗", True, b=be(subject.agree), s=subject, a=word)
        noun = self.pick(
            [
                noun
                for noun in self.nouns
                if self.after[noun.english] and not {"kin", "mass"} & {*noun.tags}
            ]
        )
        thing = self.noun_phrase(
            noun, self.pick(["the", "this", "that"]) if "place" not in noun.tags else "the", 0.0
        )
        return join(
            "is {s} {a}",
            "{s}{a}吗",
            True,
            s=thing,
            a=self.said(self.pick(self.after[noun.english]), noun),
        )

    def make_who_what(self) -> Phrase:
        """Who bought the car: 谁; what did Tom buy: 什么."""
        draw = self.rng.random()
        if draw < 0.5:
            tense = self.pick(["past", "past", "present"])
            verb = self.draw_verb(tense)
            while verb.base in ("cry", "wear"):
                verb = self.draw_verb(tense)
            thing = (
                self.thing(verb, "question" if tense == "past" else "present")
                if verb.objects
                else EMPTY
            )
            predicate = self.predicate(verb, thing, EMPTY, tense, "he")
            when = self.time("present") if tense == "present" else self.perhaps_time("past", 0.35)
            return join("{w} {v} {t}", "{w}{t}{v}", True, w="who:谁", v=predicate, t=when)
        if draw < 0.8:
            verb = self.verb_of("buy see find lose write draw eat drink hear borrow steal")
            subject = self.asked(verb.subjects)
            return join(
                "{w} did {s} {v} {t}",
                "{s}{t}{v}了{w}",
                True,
                w="what:什么",
                v=f"{verb.base}:{verb.done}",
                s=subject.does(verb),
                t=self.perhaps_time("past", 0.4),
            )
        verb = self.verb_of("read write draw eat drink wash buy watch fix")
        subject = self.asked(verb.subjects)
        return join(
            "{w} {b} {s} {v}",
            "{s}{b}{v}{w}",
            True,
            w="what:什么",
            b=f"{be(subject.agree)}:在",
            s=subject.does(verb),
            v=f"{verb.ing}:{verb.chinese}",
        )

    def make_where_when(self) -> Phrase:
        """Where did Anna buy the guitar: 是在哪里买的; when will she go to the park: 什么时候."""
        draw = self.rng.random()
        if draw < 0.6:
            verb = self.verb_of("buy buy see find lose meet borrow eat write draw steal fix sell")
            subject = self.asked(verb.subjects)
            return join(
                "{w} did {s} {v} {o}",
                "{s}是{w}{v}的{o}",
                True,
                w=self.pick(["where:在哪里", "when:什么时候"]),
                s=subject.does(verb),
                v=f"{verb.base}:{verb.done}",
                o=self.thing(verb, "question", subject),
            )
        if draw < 0.8:
            subject = (
                self.asked()
                if self.chance(0.4)
                else self.noun_phrase(self.noun_with("lost", "vehicle", "pet"), "the")
            )
            return join(
                "{w} {b} {s}",
                "{s}{b}{w}",
                True,
                w="where:哪里",
                b=f"{be(subject.agree)}:在",
                s=subject,
            )
        verb = self.planned()
        subject = self.asked(verb.subjects)
        thing = self.thing(verb, "question", subject) if verb.objects else EMPTY
        return join(
            "{w} will {s} {v} {o}",
            "{s}{w}{v}{o}",
            True,
            w="when:什么时候",
            o=thing,
            v=f"{verb.base}:{verb.chinese}",
            s=subject.does(verb),
        )

    def make_why_how(self) -> Phrase:
        """Why is she so tired: 为什么; how do you go to school: 怎么."""
        draw = self.rng.random()
        subject = self.asked()
        if draw < 0.25:
            word = self.pick(["tired:累", "happy:高兴", "busy:忙", "sad:难过"])
            return join(
                "{w} {b} {s} {d} {a}",
                "{s}{w}{d}{a}",
                True,
                w="why:为什么",
                b=be(subject.agree),
                s=subject,
                d="so:这么",
                a=word,
            )
        if draw < 0.6:
            verb = self.verb_of("buy sell close open wash draw borrow help steal")
            subject = self.asked(verb.subjects)
            return join(
                "{w} did {s} {v} {o}",
                "{s}{w}{v}{o}",
                True,
                w="why:为什么",
                v=f"{verb.base}:{verb.chinese}",
                s=subject.does(verb),
                o=self.thing(verb, "question", subject),
            )
        if draw < 0.8:
            return join(
                "{w} {d} {s} {g} {p}",
                "{s}{w}{g}{p}",
                True,
                w="how:怎么",
                d=do(subject.agree),
                s=subject,
                g="go:去",
                p=self.determined(self.noun_with("public"), self.verb["go"], "present"),
            )
        verb = self.verb_of("open fix close find catch")
        subject = self.asked(verb.subjects)
        return join(
            "{w} did {s} {v} {o}",
            "{s}是{w}{v}{o}的",
            True,
            w="how:怎么",
            v=f"{verb.base}:{verb.done}",
            s=subject.does(verb),
            o=self.thing(verb, "question", subject),
        )

    def make_how_many(self) -> Phrase:
        """How many books did you buy: 几本; how much is this watch: 多少钱."""
        draw = self.rng.random()
        if draw < 0.3:
            thing = self.noun_phrase(
                self.noun_with("goods"), self.pick(["the", "this", "that"]), 0.4
            )
            return join("{w} is {o}", "{o}{w}", True, w="how much:多少钱", o=thing)
        verb = self.verb_of("buy see find draw eat lose wash borrow write")
        subject = self.asked(("person",) if verb.base != "draw" else verb.subjects)
        if draw < 0.4:
            return join(
                "{w} {b} {s}", "{s}{w}", True, w="how old:多大了", b=be(subject.agree), s=subject
            )
        noun = self.counted_noun(*verb.objects)
        thing = join(
            "{h} {n}", "{h}{n}", h=f"how many:几{noun.measure}", n=self.described(noun, True, 0.3)
        )
        if self.chance(0.3) and self.fits(noun, ("goods", "small")):
            return join(
                "{o} {d} {s} {h}",
                "{s}{h}{o}",
                True,
                o=thing,
                d=do(subject.agree),
                s=subject,
                h="have:有",
            )
        return join(
            "{o} did {s} {v} {t}",
            "{s}{t}{v}了{o}",
            True,
            v=f"{verb.base}:{verb.done}",
            o=thing.undergoes(verb, noun),
            t=self.perhaps_time("past", 0.35),
            s=subject.does(verb),
        )
