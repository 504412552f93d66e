"""A device that only pretends: it computes here, and refuses what a GPU refuses.

Its name is meta, PyTorch's device without numbers, but tensors on it hold real ones. An operation
on tensors of two devices ends as it would with a GPU, so that code that makes a tensor on the wrong
one is found without having a GPU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

NAME = "meta"
_aten = torch.ops.aten
# What a GPU takes from another device: copies of all kinds, and positions to look up.
MOVES = {_aten._to_copy, _aten.copy_, _aten.to, _aten.lift_fresh, _aten.set_}
LOOKUPS = {_aten.index, _aten.index_put, _aten.index_put_, _aten._index_put_impl_}


class There(torch.Tensor):
    """A tensor that says it is on the pretended device; its numbers lie in `here`."""

    @staticmethod
    def __new__(cls, here: torch.Tensor) -> "There":
        """Wrap a tensor of this machine."""
        keeps = dict(strides=here.stride(), storage_offset=here.storage_offset(), dtype=here.dtype)
        return torch.Tensor._make_wrapper_subclass(
            cls, here.shape, device=NAME, requires_grad=here.requires_grad, **keeps
        )

    def __init__(self, here: torch.Tensor):
        """Keep the numbers."""
        self.here = here

    def __repr__(self) -> str:
        """Write the numbers and where they pretend to be."""
        return f"There({self.here})"

    def tolist(self) -> list:
        """Bring the numbers over, as a GPU's tensor does."""
        return self.here.tolist()

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        """Compute here what was asked for there."""
        return compute(function, args, kwargs or {})


def compute(function, args: tuple, kwargs: dict):
    """Do one operation of PyTorch, with the devices that a GPU would ask for.

    Raises: RuntimeError if its tensors are on two devices.
    """
    packet, device = function.overloadpacket, kwargs.get("device")
    tensors = [each for each in tree_flatten((args, kwargs))[0] if isinstance(each, torch.Tensor)]
    there = [isinstance(each, There) for each in tensors]
    mixed = any(there) and not all(
        is_there or each.dim() == 0 for each, is_there in zip(tensors, there, strict=True)
    )
    if mixed and packet not in MOVES and not (packet in LOOKUPS and there[0]):
        each_where = zip(tensors, there, strict=True)
        shapes = [f"{[*each.shape]} {'there' if far else 'here'}" for each, far in each_where]
        raise RuntimeError(f"{function} got tensors of two devices: {', '.join(shapes)}")
    asked = device is not None and torch.device(device).type == NAME
    if device is not None:
        kwargs = kwargs | {"device": torch.device("cpu")}
    lands = asked or (device is None and (there[0] if packet in MOVES else any(there)))
    result = function(*_here(args), **_here(kwargs))
    if not lands:
        return result
    given = {id(each.here): each for each in tensors if isinstance(each, There)}

    def wrap(each):
        if not isinstance(each, torch.Tensor):
            return each
        return given[id(each)] if id(each) in given else There(each)

    return tree_map(wrap, result)


def _there(each):
    return There(each) if isinstance(each, torch.Tensor) else each


def _here(tree):
    return tree_map(lambda each: each.here if isinstance(each, There) else each, tree)


class _Operations(TorchDispatchMode):
    """Does every operation, and writes down those that leave rows of numbers on this machine."""

    def __init__(self, made_here: list[str]):
        super().__init__()
        self.made_here = made_here

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = compute(function, args, kwargs or {})
        rows = [
            each.dim() > 0 and not isinstance(each, There)
            for each in tree_flatten(result)[0]
            if isinstance(each, torch.Tensor)
        ]
        if any(rows):
            self.made_here.append(str(function))
        return result


class _Factories(TorchFunctionMode):
    """torch.tensor makes an empty tensor of meta before any operation could be seen."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        device = kwargs.get("device")
        if function is torch.tensor and device is not None and torch.device(device).type == NAME:
            return function(*args, **kwargs | {"device": "cpu"}).to(NAME)
        return function(*args, **kwargs)


@contextmanager
def pretending() -> Iterator[list[str]]:
    """Let tensors be made on, moved to, saved from and loaded to the pretended device.

    Yields: a list that grows by the name of every operation that gives a tensor of one dimension or
    more on this machine.
    """
    load, save, made_here = torch.load, torch.save, []

    def load_there(*args, map_location="cpu", **options):
        content = load(*args, map_location="cpu", **options)
        if torch.device(map_location).type != NAME:
            return content
        return tree_map(_there, content)

    with (
        mock.patch.object(torch, "inference_mode", torch.no_grad),  # it takes no such tensors
        # It asks for the names of devices that it knows.
        mock.patch.object(import_module("torch.optim.adam"), "_device_dtype_check_for_fused"),
        _Factories(),
        _Operations(made_here),
        mock.patch.object(torch, "load", load_there),
        mock.patch.object(torch, "save", lambda content, *rest: save(_here(content), *rest)),
    ):
        yield made_here
