"""The checks of lab 07d: right solutions pass, each likely mistake gets its hint, a stub none."""

import math

import pytest
import torch.nn.functional as F

from helpers.workshop.exercises import designs as check


@pytest.mark.parametrize("call", [check.lstm_step, check.half_life, check.slide])
def test_a_stub_gets_no_hint(said, call):
    assert said(call, lambda *_: None) == "not tried yet: your function returns nothing\n"


def step(enter, keep, news, leave, c):
    c = keep.sigmoid() * c + enter.sigmoid() * news.tanh()
    return leave.sigmoid() * c.tanh(), c


def test_lstm_step(said, refused):
    assert said(check.lstm_step, step).startswith("right")

    def exchanged(enter, keep, news, leave, c):
        return step(keep, enter, news, leave, c)

    def not_squashed(enter, keep, news, leave, c):
        c = keep.sigmoid() * c + enter.sigmoid() * news.tanh()
        return leave.sigmoid() * c, c

    def sides(enter, keep, news, leave, c):
        return step(enter, keep, news, leave, c)[::-1]

    def only_news(enter, keep, news, leave, c):
        return step(enter, keep - 100, news, leave, c)

    def all_kept(enter, keep, news, leave, c):
        return step(enter, keep + 100, news, leave, c)

    gone, stays = "the old cell is gone", "all of the old cell stays"
    wrong = [(gone, exchanged), (gone, not_squashed), (gone, sides)]
    refused(check.lstm_step, [*wrong, (stays, only_news), (gone, all_kept)])


def half_life(share):
    return math.log(0.5) / math.log(share)


def test_half_life(said, refused):
    assert said(check.half_life, half_life).startswith("right")
    wrong = [("half is left", lambda share: 0.5 / (1 - share) + 1), ("multiply", lambda share: 1.0)]
    wrong.append(("Which power", lambda share: 0.5 / (1 - share) if share == 0.5 else 2.0))
    refused(check.half_life, wrong)


def slide(x, kernel):
    older, old = F.pad(x, (0, 0, 2, 0))[:, :-2], F.pad(x, (0, 0, 1, 0))[:, :-1]
    return older * kernel[:, 0] + old * kernel[:, 1] + x * kernel[:, 2]


def test_slide(said, refused):
    assert said(check.slide, slide).startswith("right")

    def convolve(x, kernel, pads=(2, 0), **more):
        return F.conv1d(F.pad(x.transpose(1, 2), pads), kernel, **more).transpose(1, 2)

    def symmetric(x, kernel):
        return convolve(x, kernel[:, None], (1, 1), groups=len(kernel))

    def turned_round(x, kernel):
        return slide(x, kernel.flip(1))

    def the_same_for_all(x, kernel):
        return slide(x, kernel[:1].expand(len(kernel), 3))

    def wraps(x, kernel):
        return x.roll(2, 1) * kernel[:, 0] + x.roll(1, 1) * kernel[:, 1] + x * kernel[:, 2]

    wrong = [("token itself", symmetric), ("token itself", turned_round)]
    wrong += [("two places back", wraps), ("its own kernel", the_same_for_all)]
    refused(check.slide, wrong)
