
import pytest
import torch

from helpers.masks import causal_keep
from helpers.plots import keeps_html


@pytest.mark.parametrize(
    "masks",
    [[], [("float", torch.ones(1, 1), "a", "a")], [("large", causal_keep(2), "ab", "a")]],
)
def test_what_is_no_mask_is_refused(masks):
    with pytest.raises(ValueError, match="give"):
        keeps_html(masks)
