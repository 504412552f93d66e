"""The check of lab 04a's exercise: right attempts pass, each likely slip gets its own hint."""

from helpers.exercises.labs import lab04a as check


def slices(kernel):
    return [kernel[:, :, place].T for place in range(3)]


def test_right_answers_pass_and_each_wrong_one_gets_its_hint(said, refused):
    for attempt in (slices, lambda kernel: kernel.permute(2, 1, 0)):
        assert said(check.slices, attempt).startswith("right")
    assert said(check.slices, lambda kernel: None).startswith("not tried yet")
    refused(
        check.slices,
        [
            ("from the right", lambda kernel: [kernel[:, :, place] for place in range(3)]),
            ("one back", lambda kernel: slices(kernel)[::-1]),
            ("Slice 1", lambda kernel: slices(kernel)[:2]),
        ],
    )
