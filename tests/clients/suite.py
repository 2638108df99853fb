"""Runs test modules of other people's packages with unittest, each in a process of its own, counts what passes, and compares
what fails with a list of the failures that are known, each with its reason.

A list has one line per test: its id or the first words of it up to a dot, a colon, the reason; a reason that begins with
"here" depends on the machine, and the test may pass. Lines with # are comments.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

WORKER = """
import json, sys, unittest, warnings
warnings.simplefilter("ignore")

class Told(unittest.TestResult):
    def tell(self, test, status, why=""):
        print("\\x1e" + json.dumps([test.id(), status, str(why)]), flush=True)
    def addSuccess(self, test): self.tell(test, "passed")
    def addFailure(self, test, e): self.tell(test, "failed", "%s: %s" % (e[0].__name__, e[1]))
    def addError(self, test, e):  # pytest's skip is an exception of its own
        self.tell(test, "skipped" if e[0].__name__ == "Skipped" else "failed", "%s: %s" % (e[0].__name__, e[1]))
    def addSkip(self, test, why): self.tell(test, "skipped", why)
    def addExpectedFailure(self, test, e): self.tell(test, "passed")
    def addUnexpectedSuccess(self, test): self.tell(test, "failed", "passed, which its author did not expect")
    def addSubTest(self, test, part, e):
        if e is not None: self.tell(test, "failed", "%s: %s" % (e[0].__name__, e[1]))

unittest.defaultTestLoader.loadTestsFromName(sys.argv[1]).run(Told())
"""


class Suite:
    def __init__(self, name: str, known: pathlib.Path):
        self.name = name
        self.known = {}
        for line in known.read_text().splitlines() if known.exists() else []:
            if line.strip() and not line.startswith("#"):
                test, reason = line.split(":", 1)
                self.known[test.strip()] = reason.strip()
        self.results = {}  # test: (status, why)

    def run(self, module: str, seconds: float, environment: dict[str, str] | None = None, prefix: str = "") -> None:
        """Runs one module; what has not ended after `seconds` counts as failed. `prefix` begins the ids of its tests."""
        start = time.time()
        why = ""
        try:
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", WORKER, module], capture_output=True, text=True,
                                  errors="replace", timeout=seconds, env=dict(os.environ, **(environment or {})))
            output = done.stdout
            if done.returncode != 0:
                why = f"its process ended with {done.returncode}: " + (done.stderr.strip().splitlines() or [""])[-1]
        except subprocess.TimeoutExpired as late:
            output = (late.stdout or b"").decode(errors="replace")
            why = f"not done after {seconds:.0f} seconds"
        told = [json.loads(part.splitlines()[0]) for part in output.split("\x1e")[1:]]
        for test, status, reason in told:
            if self.results.get(prefix + test, ("",))[0] != "failed":
                self.results[prefix + test] = (status, reason)
        if why:
            self.results[prefix + module] = ("failed", why)
        counts = ", ".join(f"{sum(1 for t in told if t[1] == s)} {s}" for s in ("passed", "failed", "skipped"))
        print(f"{prefix}{module}: {counts}{'; ' + why if why else ''} ({time.time() - start:.1f} s)", flush=True)

    def reason_of(self, test: str) -> str | None:
        """Why a test is known to fail."""
        for known in self.known:
            if test == known or test.startswith(known + ".") or test.endswith(" (" + known + ")"):
                return known
        return None

    def finish(self) -> int:
        """Prints the counts and what differs from the list. Returns: the exit status."""
        count = {s: sum(1 for r in self.results.values() if r[0] == s) for s in ("passed", "failed", "skipped")}
        seen = set()
        unknown = 0
        for test, (status, why) in sorted(self.results.items()):
            known = self.reason_of(test)
            if status == "failed":
                seen.add(known)
                if known is None:
                    unknown += 1
                    print(f"FAILED: {test}: {why.splitlines()[0] if why else ''}")
        gone = [k for k, reason in self.known.items() if k not in seen and not reason.startswith("here") and any(t == k or t.startswith(k + ".") for t in self.results)]
        for test in gone:
            print(f"NOT FAILING: {test} is in the list of known failures: take it out")
        print(f"{self.name}: {count['passed']} passed, {count['failed']} failed ({count['failed'] - unknown} known), "
              f"{count['skipped']} skipped")
        return 1 if unknown or gone or count["passed"] == 0 else 0
