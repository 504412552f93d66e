"""What lab 07b reads out of its file."""

from helpers.studies.data_scaling_results import stopped, times_of_rarest_word


def test_a_training_is_stopped_by_what_is_watched():
    losses, right = [3.0, 2.0, 2.1, 2.2, 1.0], [0.1, 0.2, 0.3, 0.25, 0.2]
    looks = [
        dict(step=n, valid_loss=a, valid_exact=b)
        for n, (a, b) in enumerate(zip(losses, right, strict=True))
    ]
    assert stopped(dict(rows=looks), "loss", 2) == (3, 25.0)
    assert stopped(dict(rows=looks), "wrong sentences", 2) == (4, 20.0)
    assert stopped(dict(rows=looks), "loss", 3) == (4, 20.0)  # never has to


def test_the_rarest_word_is_met_more_often_in_more_pairs():
    found = times_of_rarest_word()
    assert [found[size] for size in (500, 2000, 34000)] == [2, 6, 100]
