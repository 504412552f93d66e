"""Check of lab 07a: what must be saved of a training."""

import io
from collections.abc import Callable

import torch
from torch import nn

CUT, END = 5, 9  # steps of the training that is interrupted


def _fresh(seed: int) -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
    return model, torch.optim.Adam(model.parameters(), lr=0.1)


def _train(model: nn.Module, optimizer: torch.optim.Optimizer, first: int, last: int) -> None:
    """Train with a rate and a batch that the number of the step decides."""
    for step in range(first, last + 1):
        for group in optimizer.param_groups:
            group["lr"] = 0.1 / step
        batch = torch.sin(torch.arange(12.0).view(4, 3) + step)
        loss = (model(batch) - batch.sum(dim=1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _what_is_lost(my_save: Callable, my_resume: Callable) -> str:
    """Interrupt a training and go on with the reader's two functions; say what is missing."""
    model, optimizer = _fresh(0)
    _train(model, optimizer, 1, CUT)
    saved = my_save(model, optimizer, CUT)
    if saved is None:
        return "not tried yet: my_save returns nothing"
    torch.save(saved, file := io.BytesIO())
    random = torch.get_rng_state()
    file.seek(0)
    other, its_optimizer = _fresh(1)  # after the power came back, all is new
    first = my_resume(torch.load(file), other, its_optimizer)
    same = zip(model.parameters(), other.parameters(), strict=True)
    if not all(torch.equal(mine, theirs) for mine, theirs in same):
        return "not yet: the weights are not those that were saved\nhint: model.load_state_dict"
    if not its_optimizer.state_dict()["state"]:
        hint = "Adam has a memory of every weight. Look at optimizer.state_dict()."
        return f"not yet: the weights are back, the optimizer knows nothing\nhint: {hint}"
    if first != CUT + 1:
        fault = f"not yet: after {CUT} steps it should go on with {CUT + 1}, not {first}"
        return f"{fault}\nhint: my_resume returns the step after the last that was done."
    if not torch.equal(random, torch.get_rng_state()):
        hint = "There is dropout in the model, and it draws. torch.get_rng_state()."
        return f"not yet: chance has lost its place\nhint: {hint}"
    _train(model, optimizer, CUT + 1, END)
    torch.set_rng_state(random)
    _train(other, its_optimizer, first, END)
    same = zip(model.parameters(), other.parameters(), strict=True)
    if not all(torch.equal(mine, theirs) for mine, theirs in same):
        return "not yet: the two end with other weights\nhint: is all of it that was saved loaded?"
    return f"right: {END - CUT} steps later both have the same weights, bit for bit"


def memory(my_save: Callable, my_resume: Callable) -> None:
    """Check what is saved of a training, and how it is taken up again."""
    before = torch.get_rng_state()
    try:
        print(_what_is_lost(my_save, my_resume))
    except Exception as error:  # whatever the reader's code raises becomes one line
        hint = "my_save returns a dict; my_resume gets it back, with a new model and optimizer."
        print(f"not yet: {type(error).__name__}: {error}\nhint: {hint}")
    finally:
        torch.set_rng_state(before)
