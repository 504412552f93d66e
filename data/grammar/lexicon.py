"""The words of the corpus: what they mean in Chinese, how they are counted, and who can do what to what.

Each table is one string, a word per line. A noun, a verb or an adjective names the *tags* of what it goes with, so that
the grammar never lets a chair buy a fox. A tag stands for every noun that carries it; the name of a noun is a tag, too.
"""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Noun:
    """A noun with its plural ('-': none), its measure word ('-': not counted) and its tags."""

    english: str
    plural: str
    chinese: str
    measure: str
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Verb:
    """A verb with its five forms; `done` is the Chinese of a finished action; `kind` says which tenses it takes."""

    base: str
    third: str
    past: str
    participle: str
    ing: str
    chinese: str
    done: str
    kind: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True)
class Adjective:
    """An adjective: before a noun (with 的 where it needs one), after `is`, compared, and the nouns that it fits."""

    english: str
    before: str
    after: str
    compared: str
    nouns: tuple[str, ...]
    said_of: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """Where something happens: `in` is 在 before the Chinese noun and its side (里, 边) behind it."""

    key: str
    preposition: str
    english: str
    chinese: str
    side: str


# english plural chinese measure tags. `role`: `the teacher` is bare 老师; `known`: `the door` is bare 门.
NOUNS = """
teacher teachers 老师 位 person role adult near
doctor doctors 医生 位 person role adult
nurse nurses 护士 位 person role adult
driver drivers 司机 位 person role adult
cook cooks 厨师 位 person role adult
manager managers 经理 位 person role adult
writer writers 作家 位 person adult
singer singers 歌手 位 person adult
student students 学生 个 person youth common
boy boys 男孩 个 person youth common
girl girls 女孩 个 person youth common
man men 男人 个 person adult common
woman women 女人 个 person adult common
child children 孩子 个 person youth common
neighbor neighbors 邻居 个 person adult near common
friend - 朋友 个 kin near
mother - 妈妈 个 kin elder
father - 爸爸 个 kin elder
son - 儿子 个 kin
daughter - 女儿 个 kin
wife - 妻子 个 kin
husband - 丈夫 个 kin
grandmother - 奶奶 个 kin elder
cat cats 猫 只 animal pet hunter ownable
dog dogs 狗 只 animal pet hunter biter ownable
fox - 狐狸 只 animal hunter
bird birds 鸟 只 animal
rabbit rabbits 兔子 只 animal pet ownable
horse horses 马 匹 animal ownable
monkey monkeys 猴子 只 animal
tiger - 老虎 只 animal
snake - 蛇 条 animal biter
duck ducks 鸭子 只 animal ownable
cow - 牛 头 animal ownable
fish - 鱼 条 animal
saw - 锯子 把 goods small tool
hammer - 锤子 把 goods small tool
knife - 刀 把 goods small tool
umbrella umbrellas 雨伞 把 goods small lost
key keys 钥匙 把 small lost
guitar - 吉他 把 goods small
chair chairs 椅子 把 goods furniture
table tables 桌子 张 goods furniture
bed - 床 张 goods furniture
map maps 地图 张 goods small paper lost
ticket tickets 票 张 goods small paper lost
photo photos 照片 张 small paper view lost
book books 书 本 goods small paper readable lost
dictionary dictionaries 词典 本 goods small paper lost
magazine magazines 杂志 本 goods small paper readable
painting - 画 幅 goods view
skirt - 裙子 条 goods clothes
shirt shirts 衬衫 件 goods clothes
coat - 大衣 件 goods clothes
sweater - 毛衣 件 goods clothes
scarf scarves 围巾 条 goods small headwear lost
hat hats 帽子 顶 goods small headwear lost
watch watches 手表 块 goods small headwear repairable lost
ring - 戒指 枚 goods small headwear lost
car - 汽车 辆 goods vehicle repairable
bike bikes 自行车 辆 goods vehicle repairable
truck - 卡车 辆 vehicle repairable
boat - 船 艘 vehicle repairable
phone phones 手机 部 goods small device repairable lost
computer - 电脑 台 goods device repairable
camera - 相机 台 goods small device repairable lost
radio - 收音机 台 goods device repairable
light - 灯 盏 known repairable
box boxes 盒子 个 small container
bag bags 包 个 goods small container lost
cup cups 杯子 个 goods dish
plate plates 盘子 个 goods dish
bowl bowls 碗 个 goods dish
bottle bottles 瓶子 个 dish
apple apples 苹果 个 goods fruit food
orange oranges 橙子 个 goods fruit food
banana bananas 香蕉 根 goods fruit food
tomato tomatoes 西红柿 个 goods fruit food
egg eggs 鸡蛋 个 goods food
cake cakes 蛋糕 个 goods food
can - 罐头 个 goods tin
drink - 饮料 杯 beverage
coffee - 咖啡 - mass hotdrink
tea - 茶 - mass hotdrink
water - 水 - mass colddrink
milk - 牛奶 - mass colddrink
juice - 果汁 - mass colddrink
soup - 汤 - mass bowlful
rice - 米饭 - mass bowlful
flower flowers 花 朵 goods plant
tree trees 树 棵 plant
film - 电影 部 work
song songs 歌 首 work
story - 故事 个 work
question - 问题 个 -
gift - 礼物 份 present
toy - 玩具 个 goods small
ball - 球 个 goods small
house - 房子 栋 building
bridge - 桥 座 building
room - 房间 个 -
door - 门 扇 known opening
window - 窗户 扇 known opening
wall - 墙 堵 -
river - 河 条 -
mountain - 山 座 -
park - 公园 个 place public
school - 学校 所 place public
hospital - 医院 家 place public
shop - 商店 家 place public
office - 办公室 间 place
kitchen - 厨房 间 place
garden - 花园 个 place
library - 图书馆 个 place public
restaurant - 餐厅 家 place public
station - 车站 个 place public
supermarket - 超市 家 place public
museum - 博物馆 座 place public
zoo - 动物园 个 place public
classroom - 教室 间 place
hotel - 酒店 家 place public
"""

# key | preposition | English | Chinese | what Chinese puts behind it
PLACES = """
park | in | the park | 公园 | 里
school | at | school | 学校 | -
hospital | in | the hospital | 医院 | -
shop | in | the shop | 商店 | 里
office | in | the office | 办公室 | 里
kitchen | in | the kitchen | 厨房 | 里
garden | in | the garden | 花园 | 里
library | in | the library | 图书馆 | -
restaurant | in | the restaurant | 餐厅 | -
station | at | the station | 车站 | -
supermarket | in | the supermarket | 超市 | -
museum | in | the museum | 博物馆 | -
zoo | in | the zoo | 动物园 | -
classroom | in | the classroom | 教室 | 里
hotel | in | the hotel | 酒店 | -
home | at | home | 家里 | -
river | in | the river | 河 | 里
riverside | by | the river | 河 | 边
"""

# the tenses that a kind of verb takes
TENSES = {
    "action": "past past_not present present_not progressive future modal question relative",
    "task": "past past_not progressive future modal question relative",
    "planned": "past past_not future modal question relative",
    "event": "past past_not question relative",
    "reading": "past_not present present_not progressive future modal question",  # its plain past looks like its present
    "doing": "past_not present present_not progressive future modal",
    "skill": "past_not present present_not progressive",  # 会 before it would mean can, not will
    "sound": "past progressive",
    "chasing": "progressive",
    "passive": "",  # only in 被 sentences
    "going": "past past_not present present_not future modal question",
    "leaving": "past past_not question",
}
# forms | Chinese | Chinese when done | kind | subjects | objects | places
VERBS = """
buy buys bought bought buying | 买 | 买 | action | person | goods gift can | shop supermarket
sell sells sold sold selling | 卖 | 卖掉 | planned | adult | vehicle device furniture house painting | -
see sees saw seen seeing | 看见 | 看见 | event | person | animal person vehicle watch flower | park
    garden station zoo
find finds found found finding | 找到 | 找到 | event | person | lost hammer saw knife ball | park
    garden classroom office
lose loses lost lost losing | 弄丢 | 弄丢 | event | common | lost | park station hotel
read reads read read reading | 看 | 看 | reading | person | readable | library park home office garden classroom
write writes wrote written writing | 写 | 写 | action | person | story song | home office library
    classroom
draw draws drew drawn drawing | 画 | 画 | action | youth | animal flower tree house map | classroom home garden park
eat eats ate eaten eating | 吃 | 吃 | action | person cat dog monkey | food rice | kitchen restaurant home
drink drinks drank drunk drinking | 喝 | 喝 | action | person | hotdrink colddrink | kitchen restaurant home
wash washes washed washed washing | 洗 | 洗 | action | person | dish clothes car bike | -
fix fixes fixed fixed fixing | 修 | 修好 | task | adult | repairable furniture | home
watch watches watched watched watching | 看 | 看 | action | person | film | home
hear hears heard heard hearing | 听到 | 听到 | event | person | song | park restaurant
borrow borrows borrowed borrowed borrowing | 借 | 借 | planned | person | umbrella book dictionary
    magazine map hammer saw bike car guitar camera | -
feed feeds fed fed feeding | 喂 | 喂 | action | common | pet horse cow | garden
plant plants planted planted planting | 种 | 种 | task | person | tree | garden park school
water waters watered watered watering | 浇 | 浇 | action | person | flower | garden park school
open opens opened opened opening | 打开 | 打开 | planned | person | opening container can bottle | -
close closes closed closed closing | 关上 | 关上 | planned | person | opening box | -
help helps helped helped helping | 帮 | 帮 | action | person | person | station hospital office school
clean cleans cleaned cleaned cleaning | 打扫 | 打扫 | action | person | room kitchen classroom office garden house | -
break breaks broke broken breaking | 打破 | 打破 | event | common cat dog monkey | dish window | kitchen restaurant
steal steals stole stolen stealing | 偷 | 偷走 | event | man woman | device bag ring watch
    bike | station park
meet meets met met meeting | 遇见 | 遇见 | event | person | person | station park library museum restaurant
catch catches caught caught catching | 抓住 | 抓住 | event | hunter man boy | bird rabbit duck snake | garden park
bite bites bit bitten biting | 咬 | 咬 | passive | biter | person cat dog rabbit duck | park garden
chase chases chased chased chasing | 追 | 追 | chasing | hunter | rabbit bird duck cat | garden park
sleep sleeps slept slept sleeping | 睡觉 | 睡觉 | doing | person pet horse tiger | - | home garden hotel
cry cries cried cried crying | 哭 | 哭 | sound | youth | - | classroom kitchen hospital park
laugh laughs laughed laughed laughing | 笑 | 笑 | sound | person | - | classroom kitchen restaurant office
run runs ran run running | 跑步 | 跑步 | doing | common | - | park school
swim swims swam swum swimming | 游泳 | 游泳 | skill | common | - | river
dance dances danced danced dancing | 跳舞 | 跳舞 | skill | common | - | park garden
sing sings sang sung singing | 唱歌 | 唱歌 | skill | person | - | park garden restaurant classroom
work works worked worked working | 工作 | 工作 | doing | adult | - | office hospital hotel library supermarket museum
study studies studied studied studying | 学习 | 学习 | doing | youth | - | library classroom school home
rest rests rested rested resting | 休息 | 休息 | doing | person | - | home garden park
play plays played played playing | 玩 | 玩 | doing | youth pet monkey | - | park garden zoo
cook cooks cooked cooked cooking | 做饭 | 做饭 | skill | person | - | kitchen restaurant home
fish fishes fished fished fishing | 钓鱼 | 钓鱼 | skill | common | - | riverside
go goes went gone going | 去 | 去 | going | person | public | -
leave leaves left left leaving | 离开 | 离开 | leaving | person | place | -
"""
# What an animal eats, where an animal can be
EATERS = {"cat": ("cake", "egg", "fish"), "dog": ("cake", "egg"), "monkey": ("fruit",)}
ANIMAL_PLACES = ("garden", "park", "zoo", "river")
# Nouns of which there can be dozens
MANY = tuple(
    "book apple orange banana egg tomato flower tree chair table cup plate bowl bottle photo letter ticket box bird duck "
    "fish".split()
)

# English | before a noun | after `is` | compared | nouns it stands before | nouns it is said of
ADJECTIVES = """
big | 大 | 大 | bigger | cat dog bird rabbit horse monkey tiger snake fish house dish container furniture boat truck
    fruit cake tree room bag ball | animal house boat room bag box apple
small | 小 | 小 | smaller | animal house dish container furniture boat room bag ball toy | animal house room bag box
    cake
new | 新 | 新 | newer | tool furniture clothes headwear umbrella guitar key map book dictionary magazine
    painting vehicle device dish bag toy ball house film song bridge | vehicle device furniture clothes
    house
old | 旧 | 旧 | - | vehicle device furniture clothes headwear tool map photo book dictionary magazine toy | vehicle device furniture clothes
    headwear
red | 红 | - | - | clothes scarf hat umbrella flower apple ball | -
red | 红色的 | - | - | car bike cup bag box | -
black | 黑 | - | - | cat dog horse clothes hat umbrella bird | -
black | 黑色的 | - | - | car bag bike phone box | -
white | 白 | - | - | cat dog horse clothes hat rabbit flower | -
white | 白色的 | - | - | car cup plate bag bike | -
blue | 蓝色的 | - | - | clothes scarf hat car bike umbrella cup bag box | -
brown | 棕色 | - | - | fox rabbit monkey | -
brown | 棕色的 | - | - | hat skirt coat sweater scarf chair table box | -
orange | 橙色的 | - | - | skirt shirt sweater scarf hat cup bag car flower | -
orange | 橘色的 | - | - | fish cat | -
lazy | 懒 | 懒 | lazier | cat dog horse fox monkey | cat dog horse boy girl student son
quick | 敏捷的 | 敏捷 | quicker | fox cat monkey | fox cat monkey
cute | 可爱的 | 可爱 | cuter | pet duck monkey bird fox child boy girl toy | pet duck monkey bird fox child girl
clever | 聪明的 | 聪明 | - | person dog monkey fox horse | person kin dog monkey fox horse
young | 年轻的 | 年轻 | younger | adult | adult kin
kind | 善良的 | 善良 | kinder | adult girl boy | adult kin girl
famous | 有名的 | 有名 | - | writer singer doctor cook museum film song book painting bridge | writer singer doctor
    cook museum film song painting
friendly | 友好的 | 友好 | friendlier | adult student boy girl | adult student kin
beautiful | 漂亮的 | 漂亮 | - | clothes headwear flower bird horse house painting photo girl woman garden | clothes
    headwear flower bird horse house painting girl
expensive | 很贵的 | 贵 | - | clothes headwear vehicle device furniture painting guitar | clothes headwear vehicle
    device furniture painting guitar ticket hotel
cheap | 便宜的 | 便宜 | cheaper | clothes headwear bike device furniture cup plate bowl umbrella ticket guitar | clothes
    headwear bike car device furniture dish ticket guitar
interesting | 有趣的 | 有趣 | - | book magazine film story question museum toy | book magazine film story
    museum
clean | 干净的 | 干净 | cleaner | clothes dish room table bed bag hotel | clothes dish room kitchen classroom hotel
dirty | 脏 | 脏 | dirtier | clothes dish bag hat ball | clothes dish room kitchen bag hat
heavy | 很重的 | 重 | heavier | box bag furniture hammer | box bag furniture hammer computer
light | - | 轻 | lighter | - | box bag furniture hammer computer camera phone coat umbrella guitar
long | 长 | 长 | longer | skirt scarf river bridge | skirt scarf river bridge film story
comfortable | 舒服的 | 舒服 | - | chair bed coat sweater car hotel shirt | chair bed coat sweater car hotel
delicious | 好吃的 | 好吃 | - | food | food rice
fresh | 新鲜的 | 新鲜 | fresher | fruit egg | fruit egg milk fish
tall | - | 高 | taller | - | person kin horse tree
happy | - | 高兴 | happier | - | person kin
busy | - | 忙 | busier | - | adult student kin
tired | - | 累 | - | - | person kin horse dog
hungry | - | 饿 | - | - | person kin animal
hard | - | 难 | harder | - | question
"""

# English adverbs and phrases of time, Chinese part by part, by the tenses they fit
TIMES = {
    "past": ["yesterday:昨天", "last:上 week:周", "this:今天 morning:早上", "last:昨 night:晚"],
    "present": [f"every:每{t} :都" for t in (" day:天", "天 morning:早上", "天 evening:晚上")],
    "future": ["tomorrow:明天", "next:下 week:周", "this:今天 evening:晚上"],
    "progressive": ["now:现在"],
}
MEN = ["Tom:汤姆", "Jack:杰克", "Peter:彼得", "David:大卫", "Xiaoming:小明", "Xiaogang:小刚"]
WOMEN = ["Mary:玛丽", "Anna:安娜", "Lucy:露西", "Emma:艾玛", "Xiaohong:小红", "Lili:丽丽"]
NAMES = MEN + WOMEN
CITIES = ["Beijing:北京", "Shanghai:上海", "London:伦敦", "Paris:巴黎"]
# subject, object, possessive, Chinese, agreement
PRONOUNS = [
    ("I", "me", "my", "我", "I"),
    ("you", "you", "your", "你", "they"),
    ("he", "him", "his", "他", "he"),
    ("she", "her", "her", "她", "he"),
    ("we", "us", "our", "我们", "they"),
    ("they", "them", "their", "他们", "they"),
]
# what one plays, with the Chinese verb that it wants
GAMES = [
    ("the piano:钢琴", "弹"),
    ("the guitar:吉他", "弹"),
    ("the violin:小提琴", "拉"),
    ("football:足球", "踢"),
    ("basketball:篮球", "打"),
    ("tennis:网球", "打"),
]
# fields and pastimes that can be fun, and what can be said of them
TOPICS = [
    "machine:机器 learning:学习",
    "deep:深度 learning:学习",
    "physics:物理",
    "math:数学",
    "history:历史",
    "music:音乐",
    "swimming:游泳",
    "dancing:跳舞",
    "cooking:做饭",
    "fishing:钓鱼",
    "singing:唱歌",
    "reading:看书",
    "drawing:画画",
    "English:英语",
    "Chinese:中文",
    "football:足球",
    "tennis:网球",
    "basketball:篮球",
]
NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
DIGITS = "零一二三四五六七八九十"


def _rows(table: str, separator: str | None) -> list[list[str]]:
    """Split a table into stripped cells, a list for each line; an indented line goes on with the one above."""
    lines = table.strip().replace("\n    ", " ").splitlines()
    return [[cell.strip() for cell in line.split(separator)] for line in lines]


def read_nouns() -> list[Noun]:
    """Read the table of nouns."""
    return [Noun(*row[:4], tags=(*row[4:], row[0])) for row in _rows(NOUNS, None)]


def measure_rows() -> list[str]:
    """Write which measure words each noun may have, those that far_*.txt gives it among them."""
    found: dict[str, set[str]] = {}
    for noun in read_nouns():
        for word in (noun.english, noun.plural):
            found.setdefault(word, set()).add(noun.measure)
    measures = "".join({noun.measure for noun in read_nouns()} - {"-"}) + "场封段"
    for table in sorted((Path(__file__).parent / "tables").glob("far*.txt")):  # bat:只蝙蝠
        text = table.read_text(encoding="utf-8")
        for word, measure in re.findall(rf"(\w+):([{measures}])[一-鿿]", text):
            found.setdefault(word, set()).add(measure)
    return [f"{word}\t{' '.join(sorted(found[word]))}\n" for word in sorted(found)]


def read_verbs() -> list[Verb]:
    """Read the table of verbs."""
    verbs = []
    for forms, chinese, done, kind, *tags in _rows(VERBS, "|"):
        subjects, objects, places = (tuple(cell.replace("-", "").split()) for cell in tags)
        verbs.append(Verb(*forms.split(), chinese, done, kind, subjects, objects, places))
    return verbs


def read_adjectives() -> list[Adjective]:
    """Read the table of adjectives."""
    return [
        Adjective(*row[:4], *(tuple(cell.replace("-", "").split()) for cell in row[4:]))
        for row in _rows(ADJECTIVES, "|")
    ]


def read_places() -> list[Place]:
    """Read the table of places."""
    return [Place(*row[:4], row[4].strip("-")) for row in _rows(PLACES, "|")]
