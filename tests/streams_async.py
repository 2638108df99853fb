"""Runs a test program with asynchronous streams of the emulator, in an order of their work that each seed decides.

    python3 tests/streams_async.py --seeds 100 build/gcc/tests/test_runtime
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import time


def run(program, seed):
    environment = dict(os.environ, TG_DEVICE="emulator", TG_EMULATOR_STREAMS="async", TG_EMULATOR_SEED=str(seed))
    return subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=9)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="seeds at a time")
    options = parser.parse_args()
    seeds, failed, begin = range(options.first, options.first + options.seeds), [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, done in zip(seeds, pool.map(lambda s: run(options.program, s), seeds)):
            if done.returncode == 0:
                continue
            failed.append(seed)
            print(f"TG_EMULATOR_SEED={seed} TG_EMULATOR_STREAMS=async {options.program}: exit {done.returncode}")
            print(done.stdout[-4000:], flush=True)
    print(f"{options.seeds} seeds, {len(failed)} failed {failed or ''}, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed or options.seeds < 1 else 0)


if __name__ == "__main__":
    main()
