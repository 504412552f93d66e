"""Four letters back: what is asked, what a bag can do, and that the same start trains the same."""

import pytest
import torch
from torch import nn

from helpers.attention import MultiHeadAttention
from helpers.toys import four_letters_back
from helpers.toys.four_letters_back import FAR, N_TOKENS, TEST, Reporter, wanted_of


class WithMaps(MultiHeadAttention):
    def forward(self, asking, asked, keep=None):
        return super().forward(asking, asked, keep, need_weights=True)


class Says(nn.Module):
    """A reporter that says what a function makes of the right answers."""

    def __init__(self, say):
        super().__init__()
        self.say = say

    def forward(self, tokens):
        return nn.functional.one_hot(self.say(wanted_of(tokens)), N_TOKENS).float()


def test_the_fifth_reports_the_four_before_it_the_nearest_first():
    wanted = wanted_of(torch.arange(16)[None])
    assert wanted.shape == (1, 12, 4)
    assert wanted[0, 0].tolist() == [3, 2, 1, 0] and wanted[0, -1].tolist() == [14, 13, 12, 11]
    assert four_letters_back.spelled(wanted[0, :1]) == [["D", "C", "B", "A"]]


def test_a_bag_is_right_a_third_of_the_time():
    assert four_letters_back.bag_share() == pytest.approx(0.337158203125)
    most = Says(lambda wanted: wanted.mode(dim=-1, keepdim=True).values.expand(-1, -1, FAR))
    assert four_letters_back.share_right(most) == pytest.approx(0.337, abs=0.01)
    assert four_letters_back.habits(most) == (1, 1)


def test_habits_tell_other_reports_from_a_bag():
    right = Says(lambda wanted: wanted)
    alike, fullest = four_letters_back.habits(right)
    assert four_letters_back.share_right(right) == 1 and alike < 0.01 and fullest < 0.1
    nearest = Says(lambda wanted: wanted[..., :1].expand(-1, -1, FAR))
    alike, fullest = four_letters_back.habits(nearest)
    assert alike == 1 and 0.4 < fullest < 0.7


def test_a_report_sees_nothing_behind_it():
    torch.manual_seed(0)
    model, changed = Reporter(WithMaps, 2), TEST[:2].clone()
    changed[:, -1] = (changed[:, -1] + 1) % N_TOKENS
    before, after = model(TEST[:2]), model(changed)
    assert torch.equal(before[:, :-1], after[:, :-1]) and not torch.equal(before, after)


def test_a_start_decides_a_training():
    (one, shares), (other, _), (third, _) = (
        four_letters_back.train_reporter(WithMaps, 4, start, (1, 2), 8) for start in (0, 0, 1)
    )
    weights = [model.attention.query.weight for model in (one, other, third)]
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])
    assert len(shares) == 2 and shares[-1] == four_letters_back.share_right(one)
    assert one.weights.shape == (len(TEST), 4, 16, 16)
