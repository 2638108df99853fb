"""A random share of many cases, for tests whose full set runs with the label sweep: new in each run, repeated with TG_TEST_SEED."""

import os
import random


def share_of(cases, one_in, what):
    """One in `one_in` of the cases, at least one, in their order."""
    if one_in <= 1 or not cases:
        return list(cases)
    seed = int(os.environ.get("TG_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
    count = -(-len(cases) // one_in)
    print(f"{count} of {len(cases)} {what}: TG_TEST_SEED={seed} repeats them", flush=True)
    return [cases[i] for i in sorted(random.Random(seed).sample(range(len(cases)), count))]
