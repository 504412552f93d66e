"""The probe sentences: none is in the corpus, but every word and pattern of theirs is.

In the notation of rows.py. Where English does not say which brother is meant, a probe stands twice,
with both of its translations.
"""

from .real import by_hand
from .splits import Line, finish

PROBES = """
I:我 saw:看见 :了 a:一把 saw:锯子
the:那只 quick:敏捷的 brown:棕色 fox:狐狸 jumps:跳/过去 over:从/身上 the:那只 lazy:懒 dog:狗
    :了 | 1 2 3 4 6< 7 8 9 6> 5< 10 5>
I:我 love:爱 you:你
machine:机器 learning:学习 is :很 fun:有趣
Tom:汤姆 bought:买 :了 an:一把 old:旧 saw:锯子 yesterday:昨天 | 1 7 2 3 4 5 6
the:那个 cake:蛋糕 was eaten:吃掉 by:被 the:那只 black:黑 cat:猫 :了 | 1 2 5 6 7 8 4 9
Mary:玛丽 put:放 the:那把 red:红 umbrella:雨伞 on:在/上 the table:桌子 :把 :了
    | 1 9 3 4 5 2 6< 10 8 6>
my:我 brother:哥哥 is taller:高 than:比 your:你 father:爸爸 | 1 2 5 6 7 4
my:我 brother:弟弟 is taller:高 than:比 your:你 father:爸爸 | 1 2 5 6 7 4
my:我 sister:妹妹 is two:两 years:岁 younger:小 than:比 me:我 | 1 2 7 8 6 4 5
the:那本 book:书 that I:我 borrowed:借 yesterday:昨天 is very:非常 interesting:有趣 :的
    | 4 6 5 10 1 2 8 9
she:她 didn't:没 buy:买 the:那块 watch:手表
have you:你 ever been_to:去过 Beijing:北京 :吗 ?
where:在哪里 did Anna:安娜 buy:买 the:那把 guitar:吉他 :是 :的 ? | 3 7 1 4 5 6 8
there are:有 twenty:二十 - two:二只 birds:鸟 under:下面 the tree:树 | 9 7 2 3 5 6
my:我 teacher:老师 's wife:妻子 's:的 phone:手机 is :很 new:新
he:他 gave:给 :了 me:我 two:两张 tickets:票
the children:孩子们 are:正 playing:踢 football:足球 in:在/里 the park:公园 | 2 3 6< 8 6> 4 5
if:如果/就 it rains:下雨 tomorrow:明天 , we:我们 will stay:待 at:在 home:家里 :，
    | 1< 4 3 11 6 1> 8 9 10
can:会 your:你 mother:妈妈 play:弹 the piano:钢琴 :吗 ? | 2 3 1 4 6 7
"""


def probe_lines() -> list[Line]:
    """Finish the probe sentences, without final marks."""
    return [finish(phrase, "probe", marked=False) for phrase in by_hand(PROBES)]
