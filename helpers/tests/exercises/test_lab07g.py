"""The checks of lab 07g: a right answer passes, each likely mistake is noticed with its hint."""

from helpers.exercises.labs import lab07g as check


def test_the_loss_of_all_machines(said, refused):
    right = lambda total, here, everywhere, machines: total * machines / everywhere  # noqa: E731
    assert said(check.loss, right) == "right, in 4 of 4 cases\n"
    assert said(check.loss, lambda *_: None).startswith("not tried yet")
    wrong = [
        ("have in common", lambda total, here, everywhere, machines: total / max(1, here)),
        ("DDP halves", lambda total, here, everywhere, machines: total / everywhere),
        ("the plain mean", lambda total, here, everywhere, machines: total * 2 / everywhere),
        ("0/0", lambda total, here, everywhere, n: total / here * here * n / everywhere),
        ("a quarter", lambda total, here, everywhere, n: total * min(n, 2) / everywhere),
    ]
    refused(check.loss, wrong)


def test_the_rows_are_dealt_out(said, refused):
    assert said(check.rows, lambda rows, rank, world: rows[rank::world]).startswith("right: every")
    assert said(check.rows, lambda *_: None) == "not tried yet: your function returns nothing\n"

    def halves(rows, rank, world):
        return rows[rank::world][: len(rows) // world]

    def blocks(rows, rank, world):
        size = -(-len(rows) // world)
        return rows[rank * size : (rank + 1) * size]

    def folded(rows, rank, world):
        return rows if rank == 0 else []

    refused(
        check.rows,
        [
            ("left over", halves),
            ("rows of its own", lambda rows, rank, world: rows),
            ("two more", folded),
            ("like cards", blocks),
            ("rows is a list", lambda rows, rank, world: rows[rank, world]),
        ],
    )
