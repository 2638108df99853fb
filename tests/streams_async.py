"""Runs a test program with asynchronous streams of the emulator, in an order of their work that each seed decides.

    python3 tests/streams_async.py --seeds 100 build/gcc/tests/test_runtime
"""

import argparse
import os
import subprocess
import sys
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=9)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    failed, begin = [], time.monotonic()
    for seed in range(options.first, options.first + options.seeds):
        environment = dict(os.environ, TG_DEVICE="emulator", TG_EMULATOR_STREAMS="async", TG_EMULATOR_SEED=str(seed))
        run = subprocess.run([options.program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace")
        if run.returncode == 0:
            continue
        failed.append(seed)
        print(f"TG_EMULATOR_SEED={seed} TG_EMULATOR_STREAMS=async {options.program}: exit {run.returncode}")
        print(run.stdout[-4000:])
    print(f"{options.seeds} seeds, {len(failed)} failed {failed or ''}, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed or options.seeds < 1 else 0)


if __name__ == "__main__":
    main()
