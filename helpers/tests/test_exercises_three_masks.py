import math

import pytest
import torch

from helpers.masks import causal_keep, padding_keep
from helpers.text import PAD
from helpers.workshop.exercises import three_masks as check


def said(capsys, call, attempt):
    call(attempt)
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize("call", [check.for_torch, check.as_numbers, check.prefix])
def test_a_stub_gets_no_hint(capsys, call):
    out = said(capsys, call, lambda *arguments: None)
    assert out == "not tried yet: your function returns nothing"


def refused(capsys, call, wrong):
    for hint, attempt in wrong.items():
        out = said(capsys, call, attempt)
        assert out.startswith("not yet") and hint in out, hint


def test_for_torch(capsys):
    def right(ids):
        return ~causal_keep(ids.size(1)), ids == PAD

    assert "right" in said(capsys, check.for_torch, right)
    wrong = {
        "True is hidden here": lambda ids: (causal_keep(ids.size(1)), ids != PAD),
        "from oneself": lambda ids: (torch.ones(ids.size(1), ids.size(1)).triu() > 0, ids == PAD),
        "a tuple of two": lambda ids: [~causal_keep(ids.size(1)), ids == PAD],
        "where the token is the pad": lambda ids: (right(ids)[0], torch.zeros_like(ids) > 0),
        "stay apart": lambda ids: (~causal_keep(ids.size(1)), (ids == PAD)[0:1]),
    }
    refused(capsys, check.for_torch, wrong)
    both = said(
        capsys, check.for_torch,
        lambda ids: (~(causal_keep(ids.size(1)) & padding_keep(ids)), ids == PAD),
    )  # fmt: skip
    assert both.startswith("not yet")


def test_as_numbers(capsys):
    def right(keep, scores):
        return torch.zeros_like(scores).masked_fill(~keep, -math.inf)

    assert "right" in said(capsys, check.as_numbers, right)
    wrong = {
        "added to the scores": lambda keep, scores: keep.to(scores.dtype),
        "And elsewhere": lambda keep, scores: torch.zeros_like(scores).masked_fill(keep, -math.inf),
        "own dtype": lambda keep, scores: torch.zeros(keep.shape).masked_fill(~keep, -math.inf),
    }
    refused(capsys, check.as_numbers, wrong)


def test_prefix(capsys):
    def right(t_source, t_target):
        keep = causal_keep(t_source + t_target).clone()
        keep[:, :t_source] = True
        return keep

    assert "right" in said(capsys, check.prefix, right)
    wrong = {
        "no source sees a target": lambda a, b: torch.ones(a + b, a + b, dtype=torch.bool),
        "sees everybody": lambda a, b: causal_keep(a + b),
        "only the past": lambda a, b: _all_target_sees_all(a, b),
    }
    refused(capsys, check.prefix, wrong)


def _all_target_sees_all(t_source, t_target):
    keep = torch.ones(t_source + t_target, t_source + t_target, dtype=torch.bool)
    keep[:t_source, t_source:] = False
    return keep
