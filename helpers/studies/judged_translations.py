"""Translations of test_real that our one key lacks, judged by a reader: word for word, by hand.

Judged are those that the translator of seed 0 wrote; another run writes others, and whatever isn't
listed counts as wrong. So what is counted with this list stays a lower bound.
"""

# All of the meaning, in Chinese that a Chinese would write.
GOOD = {
    "My friend will wait for us at the station.": "我朋友要在车站等我们。",
    "Our teacher is ill today.": "我们老师今天生病了。",
    "Is this your book or Tom's?": "这是你的书还是汤姆的书？",
    "Here is your coffee, sir.": "先生，您的咖啡在这里。",
    "On Sunday I stay at home and read books.": "我星期天待在家看书。",
    "The children went to the zoo yesterday, and they were very happy.":
    "孩子们昨天去了动物园，他们很高兴。",
}  # fmt: skip
# One might let them pass: a small word is missing or unusual, and yet it's understood.
ARGUABLE = {
    "This restaurant is good but expensive.": "这家餐厅好，但是很贵。",
    "Does your leg still hurt?": "你还腿疼吗？",
    "I don't understand, so please say it again.": "我不明白，所以再说一次。",
    "Hello, is Mary at home?": "你好，玛丽在家里？",
    "Don't worry, we will help you.": "别担心，我们要帮你。",
    "Would you like to go to the cinema with me?": "你想跟我一起去电影院？",
    "Tom is my neighbor and my best friend.": "汤姆是我邻居，我最好的朋友。",
}  # fmt: skip


def judged_good(written: dict[str, str], more: bool = False) -> list[str]:
    """List the sources whose translation a reader called good; more: those that might pass, too."""
    accepted = GOOD | (ARGUABLE if more else {})
    return [source for source, text in written.items() if accepted.get(source) == text]
