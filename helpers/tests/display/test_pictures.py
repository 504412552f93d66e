import base64
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest

from helpers.tools.nbval_plugin import differences, picture_difference


def picture(noise=0.0, cell=0.0, title="weights", empty=False, turn=False):
    """Draw a heat map with a small change, as base64 text."""
    generator = np.random.default_rng(0)
    weights = np.round(generator.dirichlet(np.ones(7), size=7), 2).clip(0.01, 0.8)
    weights[3, 3] += cell
    weights = (weights.T if turn else weights) + noise * generator.random((7, 7))
    figure, ax = plt.subplots(figsize=(4, 4.2))
    ax.imshow(weights, vmin=0, vmax=1, cmap="Blues")
    ax.set(title=title, xlabel="keys", ylabel="queries")
    if empty:
        figure.axes[0].images[0].set_visible(False)
    file = io.BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight")
    plt.close(figure)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("noise", [0.0, 1e-6, 1e-3])
def test_noise_that_nobody_sees_is_no_difference(noise):
    assert picture_difference(picture(), picture(noise=noise)) == ""


@pytest.mark.parametrize(
    "change", [dict(cell=0.1), dict(title="weight"), dict(empty=True), dict(turn=True)]
)
def test_what_can_be_seen_is_a_difference(change):
    assert "blocks differ" in picture_difference(picture(), picture(**change))


def test_pictures_of_other_size_or_number_differ():
    title = "a title that is much longer than the picture is wide, and wider"
    recorded = [{"data": {"image/png": picture()}}, {"text": "no picture"}]
    longer = [{"data": {"image/png": picture(title=title)}}]
    assert differences(recorded, recorded) == []
    (said,) = differences(recorded, longer)
    assert said.startswith("picture 1: ") and "pixels, recorded were" in said
    assert differences(recorded, recorded[1:]) == ["0 pictures, recorded were 1"]
    assert differences(recorded[1:], recorded) == ["1 pictures, recorded were 0"]
