"""Sentences of two clauses; Chinese drops the second subject where it is the same person."""

from dataclasses import replace

from .actions import LIKED, SKILLS
from .clauses import core, does, thing
from .draw import Draw
from .nouns import noun_phrase, place
from .people import pronoun
from .phrase import Phrase, be, gloss, join, without
from .registry import construction
from .structures import choose, gender, quality, someone, words

# what is said in one way only: the base form, the past
FIXED = {
    "home": ("go:回 home:家", "went:回 home:家 :了"),
    "stay": ("stay:待 at:在 home:家里", "stayed:待 at:在 home:家里"),
    "bed": ("go_to_bed:去睡觉", "went_to_bed:去睡觉 :了"),
    "breakfast": ("have:吃 breakfast:早饭", "had:吃 :了 breakfast:早饭"),
    "lunch": ("have:吃 lunch:午饭", "had:吃 :了 lunch:午饭"),
    "dinner": ("have:吃 dinner:晚饭", "had:吃 :了 dinner:晚饭"),
    "running": ("go:去 running:跑步", "went:去 running:跑步 :了"),
    "swimming": ("go:去 swimming:游泳", "went:去 swimming:游泳 :了"),
    "happy": ("be:会 :很 happy:高兴", ""),
    "plates": ("wash:洗 the plates:盘子", "washed:洗 :了 the plates:盘子"),
    "monkeys": ("feed:喂 the monkeys:猴子", "fed:喂 :了 the monkeys:猴子"),
    "ducks": ("feed:喂 the ducks:鸭子", "fed:喂 :了 the ducks:鸭子"),
    "cooking": ("cook:去 :做饭", "cooked:去做饭 :了"),
    "song": ("sing:唱 a:一首 song:歌", "sang:唱 :了 a:一首 song:歌"),
}
OUT = "go:park,zoo,museum,library,supermarket "
# how somebody was | what he did then | what he didn't do | what he did all the same
STATES = [
    ("tired:累", "home bed stay", OUT + "cook running dinner", OUT + "go:school cook"),
    ("busy:忙", "", OUT + "cook rest lunch", "cook help:person watch:film go:hospital"),
    ("hungry:饿", "eat:food,rice eat:soup buy:fruit cook", "", ""),
    ("sad:难过", "home stay", OUT + "dinner lunch", OUT + "go:school song"),
    ("happy:高兴", "song buy:cake", "", ""),
]
WEATHER = [
    ("it was raining:下雨 :了", "stay home buy:umbrella close:opening", OUT + "running"),
    ("it:天气 was :很 cold:冷", "stay drink:hotdrink close:opening buy:coat", OUT + "swimming"),
    ("it:天气 was :很 hot:热", "swimming stay open:opening drink:colddrink", OUT + "running"),
]
ALL_THE_SAME = ["it was raining:下着雨", "it was snowing:下着雪", "it:天气 was :很 cold:冷"]
# what a thing is and yet is: first | second | of what
PAIRS = [
    ("old", "comfortable beautiful", "chair bed coat sweater car house"),
    ("small", "heavy", "box bag"),
    ("big", "light", "box bag"),
    ("expensive", "beautiful comfortable", "coat sweater chair bed skirt scarf guitar ring hat"),
    ("cheap", "beautiful comfortable new", "coat sweater chair skirt scarf hat guitar bike"),
    ("beautiful", "expensive", "coat sweater skirt scarf guitar ring hat house painting"),
    ("comfortable", "expensive", "coat sweater chair bed car"),
    ("old long", "interesting", "book film magazine story"),
    ("small", "clean beautiful", "room house kitchen"),
    ("new", "dirty", "shirt coat sweater skirt bag hat"),
    ("expensive", "clean comfortable", "hotel"),
    ("lazy", "cute clever", "cat dog"),
    ("small", "clever", "dog"),
    ("cheap", "delicious fresh", "apple orange banana tomato cake"),
    ("small", "delicious", "apple orange tomato cake banana"),
]


# ---------------------------------------------------------------- what several of them need


def act(draw: Draw, options: str, tense: str, who: Phrase, auxiliary: str = "") -> Phrase:
    """Give what somebody does: one of the options, fixed or of the lexicon."""
    option = draw.pick(options)
    if option in FIXED:
        base, past = FIXED[option]
        before = "didn't:没" if tense == "past_not" else auxiliary
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


def somebody_again(draw: Draw) -> tuple[Phrase, Phrase]:
    """Draw somebody and the pronoun for them later on: my mother and she, I and I."""
    person = someone(draw)
    while not gender(person) and person.english[0] not in ("I", "we", "they"):
        person = someone(draw)
    again = {"he": "he:他", "she": "she:她"}.get(gender(person))
    return person, gloss(again) if again else person


def two_subjects(draw: Draw) -> tuple[Phrase, Phrase]:
    """Draw two different people, neither of whom is taken for the other."""
    one, other = someone(draw), someone(draw)
    alike = ({*one.chinese} & {*other.chinese} - {"的"}) or (one.word and other.word)
    unclear = {"he", "she"} & {one.english[0], other.english[0]}
    return two_subjects(draw) if alike or unclear else (one, other)


def same_person(
    draw: Draw, word: str, order: str, who: tuple[Phrase, Phrase], one: Phrase, main: Phrase
) -> Phrase:
    """Join two clauses about one person, who is named in the first one only in Chinese."""
    front = draw.chance(0.42)
    english = "{w} {s} {r}, {a} {m}" if front else "{s} {m} {w} {a} {r}"
    if who[0] == who[1] and not front:  # of two pronouns the one in its clause is named
        english = "{a} {m} {w} {s} {r}"
    return join(english, order, w=word, s=who[0], a=who[1], r=one, m=main)


def two_people(
    draw: Draw, word: str, order: str, one: Phrase, subject: Phrase, main: Phrase
) -> Phrase:
    """Join two clauses that each have their own subject."""
    english = "{w} {r}, {s} {m}" if draw.chance(0.35) else "{s} {m} {w} {r}"
    return join(english, order, w=word, r=one, s=subject, m=main)


def was(who: Phrase, quality: str) -> Phrase:
    """Say how somebody was."""
    said = gloss(quality)
    state = join("{b} {a}", "很{a}", b=be(who.agree, past=True), a=said)
    return state.relate("adjective-noun", said.english[0], who.word)


def with_subject(subject: Phrase, rest: Phrase) -> Phrase:
    """Put a subject before its predicate."""
    return join("{s} {v}", "{s}{v}", s=subject, v=rest)


def state_and_act(draw: Draw, who: tuple[Phrase, Phrase]) -> tuple[Phrase, Phrase]:
    """Draw how somebody was, and what he did, or didn't do, for that."""
    quality, done, undone, _ = draw.pick(STATES)
    tense = "past" if not undone or (done and draw.chance(0.5)) else "past_not"
    rest = new_act(draw, done if tense == "past" else undone, tense, who[0])
    return was(who[0], quality), rest


# ---------------------------------------------------------------- reasons


@construction(4)
def because(draw: Draw) -> Phrase:
    """Tom went home because he was tired: 因为汤姆很累，所以回家了."""
    word, share = "because:因为/所以", draw.rng.random()
    if share < 0.5:
        who = somebody_again(draw)
        state, rest = state_and_act(draw, who)
        return same_person(draw, word, "{w<}{s}{r}，{w>}{m}", who, state, rest)
    if share < 0.75:
        weather, done, undone = draw.pick(WEATHER)
        tense, subject = draw.pick(["past", "past_not"]), someone(draw)
        rest = new_act(draw, done if tense == "past" else undone, tense, subject)
        return two_people(draw, word, "{w<}{r}，{w>}{s}{m}", gloss(weather), subject, rest)
    return because_of_a_thing(draw)


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
        order = ("{s} {v} {o} {w} it was {a}", "{w<}{o}很{a}，{w>}{s}{v}")
        return join(*order, v="bought:买 :了", **parts)
    order = ("{s} {v} {o} {w} it was {d} {a}", "{w<}{o}{d}{a}了，{w>}{s}{v}")
    return join(*order, v="didn't:没 buy:买", d="too:太", **parts)


@construction(1)
def so_that(draw: Draw) -> Phrase:
    """My mother was tired, so she went home: 我妈妈很累，所以回家了."""
    somebody, again = who = somebody_again(draw)
    state, rest = state_and_act(draw, who)
    parts = {"s": somebody, "r": state, "w": "so:所以", "a": again, "m": rest}
    return join("{s} {r}, {w} {a} {m}", "{s}{r}，{w}{m}", **parts)


@construction(2)
def although(draw: Draw) -> Phrase:
    """Although Tom was tired, he didn't rest: 虽然汤姆很累，但是没休息."""
    word, but, share = "although:虽然/但是", "although:虽然/但", draw.rng.random()
    if share < 0.45:
        one, first, second = pair(draw)
        b = be(one.agree)
        parts = {"w": word, "s": one, "r": first, "m": second}
        return join(f"{{w}} {{s}} {b} {{r}}, it {b} {{m}}", "{w<}{s}很{r}，{w>}很{m}", **parts)
    who = somebody_again(draw)
    if share < 0.8:
        state, _, _, acts = draw.pick([row for row in STATES if row[3]])
        rest = join("{s} {m}", "{s}{m}", s="still:还是", m=act(draw, acts, "past", who[0]))
        return same_person(draw, but, "{w<}{s}{r}，{w>}{m}", who, was(who[0], state), rest)
    rest = act(draw, OUT + "go:school running", "past", who[0])
    rest = join("{t} {m}", "{t}{m}", t="still:还是", m=rest)
    weather = gloss(draw.pick(ALL_THE_SAME))
    return two_people(draw, but, "{w<}{r}，{w>}{s}{m}", weather, who[0], rest)


def pair(draw: Draw) -> tuple[Phrase, Phrase, Phrase]:
    """Draw a thing and two qualities of it that do not always go together."""
    first, second, nouns = draw.pick(PAIRS)
    noun = draw.noun[draw.pick(nouns)]
    kind = "the" if "place" in noun.tags else draw.pick("the the this that")
    subject = noun_phrase(draw, noun, kind, 0.2, colours=True)
    one, two = quality(draw, noun, first), quality(draw, noun, second)
    return (subject, one, two) if one.english and two.english else pair(draw)


# ---------------------------------------------------------------- conditions

IF_WEATHER = [
    ("it rains:下雨", "stay stay watch:film rest", OUT + "running"),
    ("it snows:下雪", "stay stay watch:film rest", OUT + "go:school running"),
    ("it:天气 is :很 hot:热", "stay swimming drink:colddrink", "go:park,zoo " + "running"),
    ("it:天气 is :很 cold:冷", "stay drink:hotdrink", OUT + "swimming"),
]
IF_STATES = [
    ("tired:累", "should:应该", "rest home bed"),
    ("tired:累", "can:可以", "rest home stay"),
    ("hungry:饿", "can:可以", "lunch cook"),
    ("free:有空", "can:可以", "clean:room,kitchen watch:film go:park,museum,zoo"),
    (":很 busy:忙", "don't_have_to:不用", "cook go:supermarket clean:room,kitchen"),
]


@construction(4)
def if_(draw: Draw) -> Phrase:
    """If it rains tomorrow, we will stay at home: 如果明天下雨，我们就待在家里."""
    share, when = draw.rng.random(), draw.pick(["", "tomorrow:明天"])
    if share < 0.4:
        return if_somebody(draw)
    subject = someone(draw)
    if share < 0.75:
        weather, yes, no = draw.pick(IF_WEATHER)
        one = join("{r} {t}", "{t}{r}", r=weather, t=when)
        auxiliary, options = draw.pick([("will", yes), ("won't:不", no)])
    else:
        subject, who = pronoun(draw), someone(draw)
        while subject.english[0] in ("you", "he", "she"):  # she might be taken for the guest
            subject = pronoun(draw)
        while who.agree != "he" or {*who.chinese} & {*subject.chinese}:
            who = someone(draw)
        one = join("{s} {c} {t}", "{s}{t}{c}", s=who, c="comes:来", t=when)
        auxiliary, options = "will", "go:restaurant,park,zoo,museum watch:film cook happy"
    main = act(draw, options, "modal_not", subject, auxiliary)
    order = "{w<}{r}，{s}{w>}{m}" + "了" * ("n't" in auxiliary)
    return two_people(draw, "if:如果/就", order, one, subject, main)


def if_somebody(draw: Draw) -> Phrase:
    """If you are tired, you should rest: 如果你累了，就应该休息."""
    quality, auxiliary, options = draw.pick(IF_STATES)
    who = somebody_again(draw)
    if draw.chance(0.5):
        you = replace(gloss("you:你"), agree="they")
        who = (you, you)
    if who[0].agree == "he":
        auxiliary = auxiliary.replace("don't", "doesn't")
    end = "了" if quality[0] in "th" else ""
    state = gloss(f"{be(who[0].agree)} {quality}{end}")
    main = act(draw, options, "modal_not", who[0], auxiliary)
    order = "{w<}{s}{r}，{w>}{m}" + "了" * ("n't" in auxiliary)
    return same_person(draw, "if:如果/就", order, who, state, main)


# ---------------------------------------------------------------- at what time

# what somebody was doing, where | what happened to him then
DURING = [
    ("running:跑步", "park", "meet:person find:key,ring,watch"),
    ("working:工作", "library hotel hospital supermarket", "meet:person"),
    ("resting:休息", "park garden", "meet:person find:key,ring"),
    ("swimming:游泳", "river", "meet:person"),
    ("fishing:钓鱼", "riverside", "meet:person find:bag,ring"),
    ("cooking:做饭", "kitchen restaurant", "break:dish"),
    ("studying:学习", "library", "meet:person find:phone,umbrella"),
]
DOING = """
cook sleep sing rest study clean:kitchen wash:shirt,sweater watch:film read:book
drink:hotdrink draw:flower,cat,bird fix:bike,computer write:story
"""


@construction(2)
def when_doing(draw: Draw) -> Phrase:
    """When I came home, my mother was cooking: 我回家的时候，我妈妈正在做饭."""
    if draw.chance(0.4):
        doing, places, options = draw.pick(DURING)
        who = somebody_again(draw)
        while len(who[0].english) > 1:
            who = somebody_again(draw)
        doing = f"{be(who[0].agree, past=True)} {doing}"
        one = join("{v} {p}", "{p}{v}", v=doing, p=place(draw, draw.pick(places)))
        main = new_act(draw, options, "past", who[0])
        return same_person(draw, "when:的时候", "{s}{r}{w}，{m}", who, one, main)
    one, other = two_subjects(draw)
    came = draw.pick(["came:回 home:家", "came_in:进来", "came_back:回来"])
    main = new_act(draw, DOING, "progressive", other)
    main = replace(main, english=(be(other.agree, past=True), *main.english[1:]))
    came = with_subject(one, gloss(came))
    return two_people(draw, "when:的时候", "{r}{w}，{s}{m}", came, other, main)


# what somebody had done, and what he did then
AFTER = [
    ("dinner", "bed home watch:film running drink:hotdrink read:book"),
    ("breakfast", "go:school,station,park,library running drink:hotdrink read:book"),
    ("lunch", "rest go:library,park,supermarket home drink:hotdrink watch:film"),
    ("watch:film", "home bed drink:hotdrink song"),
    ("read:book,magazine", "bed home drink:hotdrink go:park running"),
    ("wash:shirt,sweater,coat,car,bike plates", "rest drink:hotdrink watch:film cooking"),
    ("clean:room,kitchen", "rest drink:hotdrink go:supermarket,park watch:film cooking home bed"),
    ("feed:cat,dog,horse water:flower", "rest drink:hotdrink go:park,school cooking home"),
]


@construction(2)
def after(draw: Draw) -> Phrase:
    """After Tom had dinner, he went home: 汤姆吃完晚饭以后，就回家了."""
    who, (options, then) = somebody_again(draw), draw.pick(AFTER)
    option = draw.pick(options)
    if option in FIXED:
        one = gloss(FIXED[option][1].replace(" :了", "完"))
    else:
        verb = choose(draw, option)
        what = thing(draw, verb, "modal_not", who[0])
        one = join("{v} {o}", "{v}{o}", v=f"{verb.past}:{verb.chinese}完", o=what)
        one = one.relate("subject-verb", who[0].word, verb.base)
    main = new_act(draw, then, "past", who[0])
    word = "after:以后/就" if main.chinese[-1] == "了" else "after:以后/"  # 就喝了 means only
    return same_person(draw, word, "{s}{r}{w<}，{w>}{m}", who, one, main)


BEFORE = ["went:回 home:家", "went_to_bed:睡觉", "had:吃 dinner:晚饭", "had:吃 lunch:午饭"]
BEFORE += [f"went:去 to the {p}" for p in ("supermarket:超市", "library:图书馆", "station:车站")]
DONE_BEFORE = """
drink:hotdrink,milk,juice wash:shirt,sweater feed:cat,dog clean:room,kitchen
close:opening plates
"""


@construction(1.5)
def before(draw: Draw) -> Phrase:
    """She bought some apples before she went home: 回家以前，她买了一些苹果."""
    who, later = somebody_again(draw), gloss(draw.pick(BEFORE))
    main = act(draw, DONE_BEFORE, "past", who[0])
    return same_person(draw, "before:以前", "{r}{w}，{s}{m}", who, later, main)


WHILE = [
    ("sings sing sang", ":唱歌", "cook draw wash clean dance"),
    ("drinks drink drank", ":喝 coffee:咖啡", "read draw work study watch"),
    ("drinks drink drank", ":喝 tea:茶", "read draw work study watch"),
    ("listens listen listened", "_to:听 music:音乐", "cook draw work study read wash clean"),
    ("listens listen listened", "_to:听 music:音乐", "cook draw work study read wash clean"),
]
MEANWHILE = {
    "wash": "washing:洗 the plates:盘子",
    "clean": "cleaning:打扫 the room:房间",
    "read": "reading:看书",
    "draw": "drawing:画画",
    "watch": "watching:看 a film:电影",
}


@construction(1.6)
def while_(draw: Draw) -> Phrase:
    """She sings while cooking: 她一边做饭，一边唱歌."""
    subject, (forms, what, others) = someone(draw), draw.pick(WHILE)
    third, base, past = forms.split()
    form = past if draw.chance(0.4) else third if subject.agree == "he" else base
    verb = draw.verb[draw.pick(others)]
    other = MEANWHILE.get(verb.base, f"{verb.ing}:{verb.chinese}")
    parts = {"s": subject, "v": form + what, "w": "while:一边/一边", "o": other}
    return join("{s} {v} {w} {o}", "{s}{w<}{o}，{w>}{v}", **parts)


# ---------------------------------------------------------------- and, but

# where somebody went, and what he did there
TRIPS = [
    ("supermarket", "buy:food,fruit"),
    ("shop", "buy:clothes,headwear,toy,umbrella,radio"),
    ("library", "borrow:book,dictionary,magazine"),
    ("park", "ducks ducks draw:flower,bird,duck"),
    ("garden", "plant:tree water draw:flower,bird,cat"),
    ("kitchen", "drink:colddrink,juice plates eat:cake,fruit"),
    ("restaurant", "drink:hotdrink eat:rice,soup,cake"),
    ("station", "buy:ticket,map"),
    ("zoo", "monkeys monkeys draw:monkey,tiger,snake"),
]
PARALLEL = """
buy:clothes buy:headwear buy:fruit drink:hotdrink eat:fruit draw:animal borrow:book,bike,camera
"""


@construction(4)
def coordination(draw: Draw) -> Phrase:
    """I like coffee, but she likes tea: 但是; Tom bought a hat and Mary bought a ring."""
    share = draw.rng.random()
    if share < 0.3:
        subject, (goal, options) = someone(draw), draw.pick(TRIPS)
        one = act(draw, f"go:{goal}", "past", subject)
        one = without(one, one.chinese.index("了"))
        parts = {"s": subject, "a": one, "b": new_act(draw, options, "past", subject)}
        return join("{s} {a} and {b}", "{s}{a}{b}", **parts)
    if share < 0.5:
        subject, first, second = pair(draw)
        parts = {"s": subject, "i": be(subject.agree), "a": first, "b": second, "w": "but:但是"}
        return join("{s} {i} {a} {w} {b}", "{s}很{a}，{w}很{b}", **parts)
    left, right = two_subjects(draw)
    if share < 0.65:
        parts = {"a": left, "b": right, "c": "can:会", "d": "can't:不会", "u": "but:但是"}
        order = ("{a} {c} {k}, {u} {b} {d}", "{a}{c}{k}，{u}{b}{d}")
        return join(*order, k=words(draw, SKILLS), **parts)
    if share < 0.85:
        return but_likes(draw, left, right)
    done = draw.pick(PARALLEL)
    clauses = [with_subject(who, new_act(draw, done, "past", who)) for who in (left, right)]
    if clauses[0].chinese[-1] == clauses[1].chinese[-1]:
        return coordination(draw)
    return join("{a} and {b}", "{a}，{b}", a=clauses[0], b=clauses[1])


def but_likes(draw: Draw, left: Phrase, right: Phrase) -> Phrase:
    """Give Tom likes drinking tea, but Mary likes drinking coffee."""
    one, two = (gloss(what.replace("_", " ")) for what in draw.two(draw.pick(LIKED)))
    like = ["likes:喜欢" if who.agree == "he" else "like:喜欢" for who in (left, right)]
    parts = {"a": left, "b": right, "c": like[0], "d": like[1], "k": one, "l": two, "u": "but:但是"}
    return join("{a} {c} {k}, {u} {b} {d} {l}", "{a}{c}{k}，{u}{b}{d}{l}", **parts)
