"""Attention and a small translator, written to be read: the module that the notebooks share."""

import torch

# One thread by default: two were slower than one on machines with two shared cores, and with several threads
# the first call of a vector function may round differently from the next ones (PyTorch issue 188792).
torch.set_num_threads(1)
