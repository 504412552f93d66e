"""Sentences of a phrase book, written by hand and not drawn; each of their words is in the corpus.

A row as in rows.py: glosses in the order of the English, behind | their numbers in the order
of the Chinese where that differs; ? at the end of a question. One sentence a line.
"""

from dataclasses import replace
from random import Random

from .draw import Draw
from .phrase import EMPTY, Phrase
from .rows import read, rows
from .splits import Line, finish

REAL = """
excuse_me:打扰一下 , :， where:哪里 is:在 the station:车站 ? | 1 3 7 5 4
how:怎么 do we:我们 get:去 to the museum:博物馆 from:从 here:这里 ? | 3 8 9 1 4 7
the library:图书馆 is:在 on the left:左边 , :， not:不 on:在 the right:右边
can:可以 I:我 walk:走路 to:去 the zoo:动物园 from:从 here:这里 :吗 ? | 2 1 7 8 3 4 6 9
I:我 am lost:迷路 :了 ,_so :， can:能 you:你 help:帮 me:我 :吗 ? | 1 3 4 6 8 7 9 10 11
let's:我们/吧 meet:见面 in:在/里 the park:公园 at three:三点 on Saturday:星期六
    | 1< 9 7 3< 5 3> 2 1>
I:我 want_to:想 go:去 by:坐 train:火车 , :， not:不想 by:坐 plane:飞机 | 1 2 4 5 3 7 8 9 10
I:我 took:坐 the train:火车 because:因为 the plane:飞机 was too:太 expensive:贵 :， :所以 :了 :了
    | 5 7 9 10 14 11 12 1 2 13 4
there is:有 a:一家 big:大 hotel:酒店 behind:后面 the museum:博物馆 | 8 6 2 3 4 5
please:请 take:带 us:我们 to:去 the hospital:医院
we:我们 walked:走 :了 for two:两个 hours:小时 and are very:非常 tired:累 :， | 1 2 3 5 6 11 9 10
take:坐 the subway:地铁 because :， it is cheaper:便宜 than:比 a taxi:出租车 | 1 3 5 9 11 8
can:可以 we:我们 take:带 the:那只 dog:狗 to:去 the park:公园 :吗 ? | 2 1 3 4 5 6 8 9
my:我 friend:朋友 will:会 wait_for:等 us:我们 at:在 the station:车站 | 1 2 3 6 8 4 5
I:我 need:需要 two:两张 tickets:票 to:去 Shanghai:上海 :的 | 1 2 3 5 6 7 4
how_much:多少钱 are these:这些 red:红 apples:苹果 ? | 3 4 5 1
this:这件 coat:大衣 is beautiful:漂亮 , but:但是 it is too:太 expensive:贵 :， :很 :了
    | 1 2 12 4 11 6 9 10 13
can:可以 I:我 look_at:看看 that:那块 watch:手表 :吗 ? | 2 1 3 4 5 6
the supermarket:超市 is cheaper:便宜 than:比 this:这家 shop:商店 | 2 5 6 7 4
what:什么 would you:你 like_to:想 drink:喝 ? | 3 4 5 1
would you:你 like_to:想 eat:吃 fish:鱼 or:还是 eggs:鸡蛋 ?
the soup:汤 is too:太 hot:热 ,_so :， wait:等 a_moment:一下 :了 | 2 4 5 10 7 8 9
this:这家 restaurant:餐厅 is good:好 but:但是 expensive:贵 :， :很 :很 | 1 2 8 4 7 5 9 6
I:我 don't:不 eat:吃 fish:鱼 ,_so :， do you:你 have:有 rice:米饭 :吗 ?
we:我们 are very:非常 hungry:饿 ,_so :， is dinner:晚饭 ready:好 :了 :吗 ?
does your:你 leg:腿 still:还 hurt:疼 :吗 ?
I:我 have been ill:病 :了 for three:三 days:天 :了
call:给/打电话 the doctor:医生 because :， my:我 grandmother:奶奶 is ill:生病 :了
    | 1< 3 1> 5 6 7 9 10
is the doctor:医生 free:有空 this:今天 afternoon:下午 :吗 ? | 3 5 6 4 7
the meeting:会议 begins:开始 at nine:九点 ,_so :， don't:别 be_late:迟到 | 2 5 3 7 8 9
how_long:多长时间 have you:你 been studying:学 English:英语 :学了 :了 ? | 3 5 6 7 1 8
I:我 left:忘 :了 my homework:作业 at:在 home:家里 :把 | 1 8 5 2 6 7 3
this:这件 sweater:毛衣 is too:太 big:大 ,_so :， I:我 want:想要 a small:小 one:的 :了
    | 1 2 4 5 13 7 8 9 11 12
these:这些 apples:苹果 are very:非常 fresh:新鲜 ,_so :， I:我 want:想要 five:五个
I:我 only:只 have:有 fifty:五十 yuan:块钱 , but:但是 the:那本 book:书 costs:要 sixty:六十块 :，
    | 1 2 3 4 5 12 7 8 9 10 11
my:我 head:头 hurts:疼 , :， so:所以 I can't:不能 go:去 to school:学校 today:今天
    | 1 2 3 5 6 12 8 9 11
you:你 have a_fever:发烧 :了 ,_so :， please:请 rest:休息 at:在 home:家里 | 1 3 4 6 7 9 10 8
don't:别 drink:喝 cold:冷 water:水 because :， you:你 are ill:生病 :了
the doctor:医生 said:说 that I:我 need:需要 to rest:休息
has the:那个 child:孩子 taken:吃 the medicine:药 :了吗 ?
our:我们的 teacher:老师 is ill:生病 :了 today:今天 | 1 2 6 4 5
I:我 don't:不 understand:明白 ,_so please:请 say:说 it again:再/一次 :， | 1 2 3 9 5 8< 6 8>
I:我 can't:不会 speak:说 Chinese:中文 , but:但是 I:我 can:会 speak:说 English:英语 :，
    | 1 2 3 4 11 6 7 8 9 10
I:我 did:做 my homework:作业 this:今天 morning:早上 :了 | 1 5 6 2 4 7
is this:这 your:你的 book:书 or:还是 Tom's:汤姆的 :是 ? | 2 7 3 4 5 6
hello:你好 , :， is Mary:玛丽 at:在 home:家 :吗 ?
sorry:对不起 , :， he:他 is:在 not:不 here:这里 now:现在 | 1 3 4 8 6 5 7
I:我 lost:弄丢 my phone:手机 on:在/上 the bus:公共汽车 :把 :了 | 1 5< 7 5> 8 4 2 9
don't:别 cry:哭 , :， the:那只 dog:狗 is very:非常 friendly:友好
don't:别 worry:担心 , :， we:我们 will:会 help:帮 you:你
we:我们 were very:非常 happy:高兴 yesterday:昨天 | 1 5 3 4
I:我 love:爱 this:这个 city:城市 , :， but:但是 it is too:太 cold:冷 :了
why:为什么 are you:你 so:这么 sad:难过 today:今天 ? | 3 6 1 4 5
I:我 am very:非常 tired:累 ,_so :， let's:我们/吧 go:回 home:家 | 1 3 4 6 7< 8 9 7>
good_night:晚安 , :， see:见 you tomorrow:明天 morning:早上 | 1 3 6 7 4
thank_you:谢谢你 , :， the dinner:晚饭 was delicious:好吃 :很 | 1 3 5 8 7
nice:很高兴 to meet:认识 you:您 , Mr:先生 Wang:王 :， | 7 6 8 1 3 4
are you:你 free:有空 this:这个 weekend:周末 , Tom:汤姆 :， :吗 ? | 7 8 2 4 5 3 9
would you:你 like_to:想 go:去 to the cinema:电影院 with:跟/一起 me:我 :吗 ? | 2 3 8< 9 8> 4 7 10
I:我 want:想 to go:去 , :， but:但是 I:我 am too:太 busy:忙 :了
take:带 an:一把 umbrella:雨伞 because :吧， it will:会 rain:下雨 this:今天 afternoon:下午
    | 1 2 3 5 9 10 7 8
yesterday:昨天 it rained:下雨 :了 , :， but:但是 today:今天 it is warm:暖和 :很 | 1 3 4 6 7 8 12 11
it is cold:冷 outside:外面 ,_so please:请 close:关上 the door:门 :， :把 :很 | 4 12 3 10 6 11 9 7
what:什么 do you:你 do:做 on Sunday:星期天 ? | 3 6 4 1
here_is:这是 your:您的 coffee:咖啡 , sir:先生 :， | 5 6 1 2 3
my:我 son:儿子 is ten:十岁 and my:我 daughter:女儿 is eight:八岁 :， | 1 2 4 10 6 7 9
her:她 husband:丈夫 is a doctor:医生 , and she:她 is:是 a nurse:护士 :是 :，
    | 1 2 12 4 5 13 8 9 10 11
we:我们 have:有 two:两个 children:孩子 and:和 a:一只 dog:狗
where:在哪里 did:是 you:你 buy:买 that:那条 skirt:裙子 :的 ? | 3 2 1 4 5 6 7
the children:孩子们 are:在 sleeping:睡觉 ,_so :， please:请 be_quiet:安静
I:我 usually:通常 walk:走路 , :， but:但是 today:今天 I:我 took:坐 a taxi:出租车 :了
    | 1 2 3 5 6 8 7 9 12 11
the museum:博物馆 is closed:关门 today:今天 ,_so :， let's:我们/吧 go:去 to the zoo:动物园
    | 2 5 4 7 8< 9 12 8>
your:您的 bag:包 is heavy:重 ,_so may:可以 I:我 help:帮 you:您 :， :吗 :很 ?
    | 1 2 12 4 10 7 6 8 9 11
which:哪本 book:书 did you:你 like:喜欢 best:最 ? | 4 6 5 1 2
she:她 is sad:难过 because:因为 she lost:丢 her:她的 cat:猫 :很 :， :了
    | 1 9 3 10 4 7 8 6 11
please:请 don't:别 eat:吃 that:那个 cake:蛋糕 because it is Mary's:玛丽的 :， :那是
    | 1 2 3 4 5 10 11 9
the train:火车 has just:刚 left:走 ,_so :， let's:我们/吧 take:坐 the bus:公共汽车
    | 2 4 5 7 8< 9 11 8>
he:他 was late:迟到 again:又 because:因为 he was ill:生病 :了 :，所以 :了 | 5 1 8 9 10 4 3 11
it is hot:热 here:这里 ,_so please:请 open:打开 the window:窗户 :， :把 :很 | 4 12 3 10 6 11 9 7
please:请 speak:说 English:英语 because :， I:我 don't:不 understand:明白
on Sunday:星期天 I:我 stay:待 at:在 home:家里 and read:看 books:书
it is snowing:下雪 :了 ,_so :， let's:我们/吧 stay:待 at:在 home:家里 | 3 4 6 7< 8 9 10 7>
a:一 glass:杯 of water:水 and:和 a:一 cup:杯 of coffee:咖啡 , please:请给我 | 11 1 2 4 5 6 7 9
take:吃 this:这种 medicine:药 twice:两次 a:每 day:天 | 2 3 5 6 1 4
can:能 you:您 say:说 it again:再/一次 , sir:先生 :， :吗 ? | 7 8 2 1 5< 3 5> 9
Tom:汤姆 is:是 my:我的 neighbor:邻居 and:也 my:我 best:最好的 friend:朋友 :， :是
    | 1 2 3 4 9 5 10 6 7 8
this:这份 birthday:生日 gift:礼物 is:是 for:给 you:你 :的
I:我 am not:不 angry:生气 ,_but :， I:我 am only:只 tired:累 :是 :很 | 1 3 4 6 7 9 11 12 10
my:我 husband:丈夫 is:正 waiting_for:等 me:我 at:在 the station:车站 | 1 2 3 6 8 4 5
Anna:安娜 isn't:不在 here:这里 ,_so please:请 call:给/打电话 her:她 tomorrow:明天 :，
    | 1 2 3 9 5 8 6< 7 6>
the:那部 film:电影 was interesting:有趣 , but:但是 it was too:太 long:长 :， :很 :了
    | 1 2 12 4 11 6 9 10 13
the children:孩子们 went:去 :了 to the zoo:动物园 yesterday:昨天 ,_and :，
    they:他们 were very:非常 happy:高兴 | 2 8 3 4 7 10 11 13 14
my:我 grandmother:奶奶 lives:住 with:跟/一起 us:我们 | 1 2 4< 5 4> 3
he:他 is busy:忙 now:现在 ,_so please:请 wait:等 here:在这里 :， :很 | 1 4 10 3 9 6 8 7
I:我 don't:不 want_to:想 go:出 out:去 because :， it :外面 is:正在 raining:下雨
does this:这辆 bus:公共汽车 go:去 to the station:车站 :吗 ?
I:我 like:喜欢 this:这首 song:歌 ,_so :， please:请 sing:唱 it again:再/一次 | 1 2 3 4 6 7 10< 8 10>
how_long:多长时间 will:要 you:你 stay:待 in:在 Beijing:北京 ? | 3 2 5 6 4 1
I:我 have never:从来没 been_to:去过 London:伦敦 , but:但是 I:我 want_to:想 go:去 :，
    | 1 3 4 5 11 7 8 9 10
sorry:对不起 , :， I:我 forgot:忘 your:你的 birthday:生日 :了 | 1 3 4 5 8 6 7
"""


def by_hand(table: str) -> list[Phrase]:
    """Read a table of whole sentences, each with its translation and links."""
    draw = Draw(Random(0))  # for the signature only: nothing in a row is drawn
    phrases = [(row, read(draw, row.replace("?", ""), EMPTY, {})) for row in rows(table)]
    return [replace(phrase, question="?" in row) for row, phrase in phrases]


def real_lines() -> list[Line]:
    """Give the lines of the file."""
    return [finish(phrase, "real", marked=True) for phrase in by_hand(REAL)]
