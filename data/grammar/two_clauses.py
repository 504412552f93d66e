"""Sentences of two clauses; Chinese drops the second subject where it is the same person.

Their words stand in tables/two_clauses.txt.
"""

from dataclasses import replace

from .actions import TABLES as ACTIONS
from .clauses import core, does, thing
from .draw import Draw
from .frames import agreed, choose, gender, say, someone, words
from .nouns import noun_phrase, place
from .people import pronoun
from .phrase import EMPTY, Phrase, gloss, without
from .registry import construction
from .structures import quality, share_words
from .tables import cells, tables

TABLES = tables("two_clauses")
Who = tuple[Phrase, Phrase]  # the subjects of both clauses
ALL_THE_SAME = TABLES["all_the_same"].splitlines()
FIXED = {name: forms for name, *forms in cells(TABLES["fixed"])}
LINKS = dict(cells(TABLES["links"]))


# ---------------------------------------------------------------- what several of them need


def act(draw: Draw, options: str, tense: str, who: Phrase, auxiliary: str = "") -> Phrase:
    """Give what somebody does: one of the options, fixed or of the lexicon."""
    option = draw.pick(options)
    if option in FIXED:
        base, past = FIXED[option]
        before = "didn't:没" if tense == "past_not" else auxiliary
        before += ":会" * (option == "happy")  # what happens by itself
        return gloss(past if tense == "past" else f"{before} {base}")
    verb = choose(draw, option)
    rest = core(draw, tense, 0.0, modal=auxiliary, subject=who, verb=verb)[1]
    if verb.base == "meet" and rest.english[-1] in ("me", "you", "him", "her", "us", "them"):
        return act(draw, option, tense, who, auxiliary)
    return rest.relate("subject-verb", who.word, verb.base)


def new_act(draw: Draw, options: str, *more) -> Phrase:
    """Give what somebody does to nothing known: he bought a hat; but opened the window."""
    rest = act(draw, options, *more)
    known = {*"那这的"} & {*rest.chinese} and rest.chinese[0] != "把"
    return new_act(draw, options, *more) if known else rest


def somebody_again(draw: Draw) -> Who:
    """Draw somebody and the pronoun for them later on: my mother and she, I and I."""
    person = someone(draw)
    if gender(person):
        return person, gloss({"he": "he:他", "she": "she:她"}[gender(person)])
    return (person, person) if person.english[0] in ("I", "we", "they") else somebody_again(draw)


def two_subjects(draw: Draw) -> Who:
    """Draw two different people, neither of whom is taken for the other."""
    one, other = someone(draw), someone(draw)
    alike = share_words(one, other) or (one.word and other.word)
    unclear = {"he", "she"} & {one.english[0], other.english[0]}
    return two_subjects(draw) if alike or unclear else (one, other)


def linked(draw: Draw, word: str, who: Who, one: Phrase | str, main: Phrase) -> Phrase:
    """Join two clauses, of which one begins with the word.

    who: the subjects of both, the second one a pronoun for the first; the first one is empty if
    the clause has its subject inside.
    """
    first, second = who
    front = draw.chance(0.42 if first.english else 0.35)
    english = "{w} {s} {r}, {a} {m}" if front else "{s} {m} {w} {a} {r}"
    # Of two pronouns Chinese names the one in this clause, with 以前 the one in the main clause.
    if first in (second, EMPTY) and front == word.endswith("以前"):
        english = "{w} {a} {r}, {s} {m}" if front else "{a} {m} {w} {s} {r}"
    chinese = LINKS[word.partition(":")[0]]
    chinese = chinese.replace("{a}", "") if first.english else chinese
    return say(english, chinese, w=word, s=first, a=second, r=one, m=main)


def was(who: Phrase, quality: str) -> Phrase:
    """Say how somebody was."""
    state = say(f"{agreed('was', who)} {{a}}", "很{a}", a=quality)
    return state.relate("adjective-noun", quality.partition(":")[0], who.word)


def state_and_act(draw: Draw, who: Phrase) -> tuple[Phrase, Phrase]:
    """Draw how somebody was, and what he did, or didn't do, for that."""
    quality, done, undone, _ = draw.pick(cells(TABLES["states"]))
    tense = "past" if not undone or (done and draw.chance(0.5)) else "past_not"
    return was(who, quality), new_act(draw, done if tense == "past" else undone, tense, who)


# ---------------------------------------------------------------- reasons


@construction(4)
def because(draw: Draw) -> Phrase:
    """Tom went home because he was tired: 因为汤姆很累，所以回家了."""
    share = draw.rng.random()
    if share >= 0.75:
        return because_of_a_thing(draw)
    if share < 0.5:
        who = somebody_again(draw)
        one, main = state_and_act(draw, who[0])
    else:
        one, done, undone = draw.pick(cells(TABLES["weather"]))
        tense, who = draw.pick(["past", "past_not"]), (EMPTY, someone(draw))
        main = new_act(draw, done if tense == "past" else undone, tense, who[1])
    return linked(draw, "because:因为/所以", who, one, main)


def because_of_a_thing(draw: Draw) -> Phrase:
    """He bought the shirt because it was cheap: 因为那件衬衫很便宜，所以他买了."""
    bought = draw.chance(0.5)
    noun = draw.noun_with("clothes", "headwear", "furniture", "device", "bike", "guitar")
    said = quality(draw, noun, "cheap beautiful comfortable" if bought else "expensive heavy")
    if not said.english:
        return because_of_a_thing(draw)
    what = noun_phrase(draw, noun, draw.pick("the the this that"), 0.2, colours=True)
    what = what.relate("verb-object", "buy", noun.english)
    parts = {"s": does(someone(draw), "buy"), "o": what, "a": said, "w": "because:因为/所以"}
    if bought:
        order = "{w<}{o}很{a}，{w>}{s}{bought}了"
        return say("{s} {bought:买} {o} {w} it was {a}", order, **parts)
    order = "{w<}{o}{too<}{a}{too>}，{w>}{s}{didnt}{buy}"
    return say("{s} {didn't:没} {buy:买} {o} {w} it was {too:太/了} {a}", order, **parts)


@construction(1)
def so_that(draw: Draw) -> Phrase:
    """My mother was tired, so she went home: 我妈妈很累，所以回家了."""
    somebody, again = somebody_again(draw)
    state, rest = state_and_act(draw, somebody)
    parts = {"s": somebody, "r": state, "a": again, "m": rest}
    return say("{s} {r}, {so:所以} {a} {m}", "{s}{r}，{so}{m}", **parts)


@construction(2)
def although(draw: Draw) -> Phrase:
    """Although Tom was tired, he didn't rest: 虽然汤姆很累，但是没休息."""
    share = draw.rng.random()
    if share < 0.45:
        order = ("{w} {s} {is} {a}, it {is} {b}", "{w<}{s}很{a}，{w>}很{b}")
        return say(*order, w="although:虽然/但是", **pair(draw))
    who = somebody_again(draw)
    if share < 0.8:
        state, *_, acts = draw.pick([row for row in cells(TABLES["states"]) if row[3]])
        main, one = act(draw, acts, "past", who[0]), was(who[0], state)
    else:
        main = act(draw, TABLES["outings"], "past", who[0])
        who, one = (EMPTY, who[0]), draw.pick(ALL_THE_SAME)
    return linked(draw, "although:虽然/但", who, one, say("{still:还是} {m}", m=main))


def pair(draw: Draw) -> dict[str, Phrase]:
    """Draw a thing (s) and two qualities of it (a, b) that do not always go together."""
    first, second, nouns = draw.pick(cells(TABLES["pairs"]))
    noun = draw.noun[draw.pick(nouns)]
    kind = "the" if "place" in noun.tags else draw.pick("the the this that")
    subject = noun_phrase(draw, noun, kind, 0.2, colours=True)
    one, two = quality(draw, noun, first), quality(draw, noun, second)
    return {"s": subject, "a": one, "b": two} if one.english and two.english else pair(draw)


# ---------------------------------------------------------------- conditions


@construction(4)
def if_(draw: Draw) -> Phrase:
    """If it rains tomorrow, we will stay at home: 如果明天下雨，我们就待在家里."""
    share, when = draw.rng.random(), draw.pick(["", "tomorrow:明天"])
    if share < 0.4:
        return if_somebody(draw)
    subject = someone(draw)
    if share < 0.75:
        weather, yes, no = draw.pick(cells(TABLES["if_weather"]))
        one = say("{r} {t}", "{t}{r}", r=weather, t=when)
        return if_so(draw, (EMPTY, subject), one, *draw.pick([("will", yes), ("won't:不", no)]))
    subject, guest = pronoun(draw), someone(draw)
    while subject.english[0] in ("you", "he", "she"):  # she might be taken for the guest
        subject = pronoun(draw)
    while guest.agree != "he" or share_words(guest, subject):
        guest = someone(draw)
    one = say("{s} {comes:来} {t}", "{s}{t}{comes}", s=guest, t=when)
    options = "go:restaurant,park,zoo,museum watch:film cook happy"
    return if_so(draw, (EMPTY, subject), one, "will", options)


def if_somebody(draw: Draw) -> Phrase:
    """If you are tired, you should rest: 如果你累了，就应该休息."""
    quality, auxiliary, options = draw.pick(cells(TABLES["if_states"]))
    who = somebody_again(draw)
    if draw.chance(0.5):
        who = (replace(gloss("you:你"), agree="they"),) * 2
    if who[0].agree == "he":
        auxiliary = auxiliary.replace("don't", "doesn't")
    end = "了" if quality[0] in "th" else ""
    state = gloss(f"{agreed('is', who[0])} {quality}{end}")
    return if_so(draw, who, state, auxiliary, options)


def if_so(draw: Draw, who: Who, one: Phrase, auxiliary: str, options: str) -> Phrase:
    """Join a condition and what somebody will, should or won't do then."""
    main = act(draw, options, "modal_not", who[0] if who[0].english else who[1], auxiliary)
    main = say("{m}", "{m}了", m=main) if "n't" in auxiliary else main
    return linked(draw, "if:如果/就", who, one, main)


# ---------------------------------------------------------------- at what time


@construction(2)
def when_doing(draw: Draw) -> Phrase:
    """When I came home, my mother was cooking: 我回家的时候，我妈妈正在做饭."""
    if draw.chance(0.4):
        doing, places, options = draw.pick(cells(TABLES["during"]))
        who = somebody_again(draw)
        while len(who[0].english) > 1:
            who = somebody_again(draw)
        doing = f"{agreed('was', who[0])} {doing}"
        one = say("{v} {p}", "{p}{v}", v=doing, p=place(draw, draw.pick(places)))
        main = new_act(draw, options, "past", who[0])
    else:
        one, other = two_subjects(draw)
        came = draw.pick(["came:回 home:家", "came_in:进来", "came_back:回来"])
        main = new_act(draw, TABLES["doing"], "progressive", other)
        main = replace(main, english=(agreed("was", other), *main.english[1:]))
        who, one = (EMPTY, other), say("{s} {v}", s=one, v=came)
    return linked(draw, "when:的时候", who, one, main)


@construction(2)
def after(draw: Draw) -> Phrase:
    """After Tom had dinner, he went home: 汤姆吃完晚饭以后，就回家了."""
    who, (options, then) = somebody_again(draw), draw.pick(cells(TABLES["after"]))
    option = draw.pick(options)
    if option in FIXED:
        one = FIXED[option][1].replace(" :了", "完")
    else:
        verb = choose(draw, option)
        what = thing(draw, verb, "modal_not", who[0])
        one = say("{v} {o}", v=f"{verb.past}:{verb.chinese}完", o=what)
        one = one.relate("subject-verb", who[0].word, verb.base)
    main = new_act(draw, then, "past", who[0])
    word = "after:以后/就" if main.chinese[-1] == "了" else "after:以后/"  # 就喝了 means only
    return linked(draw, word, who, one, main)


@construction(1.5)
def before(draw: Draw) -> Phrase:
    """She bought some apples before she went home: 回家以前，她买了一些苹果."""
    who, later = somebody_again(draw), draw.pick(TABLES["before"].splitlines())
    main = act(draw, TABLES["done_before"], "past", who[0])
    return linked(draw, "before:以前", who, later, main)


@construction(1.6)
def while_(draw: Draw) -> Phrase:
    """She sings while cooking: 她一边做饭，一边唱歌."""
    subject, (forms, what, others) = someone(draw), draw.pick(cells(TABLES["while"]))
    third, base, past = forms.split()
    form = past if draw.chance(0.4) else third if subject.agree == "he" else base
    verb = draw.verb[draw.pick(others)]
    other = dict(cells(TABLES["meanwhile"])).get(verb.base, f"{verb.ing}:{verb.chinese}")
    order = ("{s} {v} {while:一边/一边} {o}", "{s}{while<}{o}，{while>}{v}")
    return say(*order, s=subject, v=form + what, o=other)


# ---------------------------------------------------------------- and, but


@construction(4)
def coordination(draw: Draw) -> Phrase:
    """I like coffee, but she likes tea: 但是; Tom bought a hat and Mary bought a ring."""
    share = draw.rng.random()
    if share < 0.3:
        return trip(draw)
    if share < 0.5:
        order = ("{s} {is} {a} {but:但是} {b}", "{s}很{a}，{but}很{b}")
        return say(*order, **pair(draw))
    left, right = two_subjects(draw)
    if share < 0.65:
        order = ("{a} {can:会} {k}, {but:但是} {b} {can't:不会}", "{a}{can}{k}，{but}{b}{cant}")
        return say(*order, k=words(draw, ACTIONS["skills"]), a=left, b=right)
    if share < 0.85:
        liked = draw.two(draw.pick(ACTIONS["liked"].splitlines()))
        both = zip((left, right), liked, strict=True)
        one, two = (say("{s} {likes:喜欢} {o}", s=s, o=o.replace("_", " ")) for s, o in both)
        return say("{a}, {but:但是} {b}", "{a}，{but}{b}", a=one, b=two)
    done = draw.pick(TABLES["parallel"])
    one, two = (say("{s} {v}", s=s, v=new_act(draw, done, "past", s)) for s in (left, right))
    if one.chinese[-1] == two.chinese[-1]:
        return coordination(draw)
    return say("{a} and {b}", "{a}，{b}", a=one, b=two)


def trip(draw: Draw) -> Phrase:
    """Give Tom went to the shop and bought a hat."""
    subject, (goal, options) = someone(draw), draw.pick(cells(TABLES["trips"]))
    one = act(draw, f"go:{goal}", "past", subject)
    one = without(one, one.chinese.index("了"))
    two = new_act(draw, options, "past", subject)
    return say("{s} {a} and {b}", "{s}{a}{b}", s=subject, a=one, b=two)
