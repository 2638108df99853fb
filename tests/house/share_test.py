#!/usr/bin/env python3
"""Tests share.py: a share has the size that it says, keeps the order, is repeated by its seed, and reaches every case in time."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from share import share_of


def with_seed(seed, count, one_in):
    os.environ["TG_TEST_SEED"] = str(seed)
    return share_of(list(range(count)), one_in, "numbers")


def main():
    complaints = []
    for count in (0, 1, 2, 3, 7, 100):
        for one_in in (1, 2, 3, 4, 200):
            found = with_seed(5, count, one_in)
            if len(found) != (count + one_in - 1) // one_in or found != sorted(set(found)):
                complaints.append(f"one in {one_in} of {count}: {found}")
            if found != with_seed(5, count, one_in):
                complaints.append(f"one in {one_in} of {count} is not repeated by its seed")
    if with_seed(1, 100, 4) == with_seed(2, 100, 4):
        complaints.append("two seeds choose the same share")
    if {case for seed in range(100) for case in with_seed(seed, 30, 3)} != set(range(30)):
        complaints.append("a hundred shares of a third do not reach each case")
    del os.environ["TG_TEST_SEED"]
    if share_of(list(range(1000)), 2, "numbers") == share_of(list(range(1000)), 2, "numbers"):
        complaints.append("without a seed two runs choose the same share")
    print("\n".join(complaints) or "shares are as they should be")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
