#!/usr/bin/env python3
"""That tests/gpu_plan.py says of each step how it ended, stops what hangs, and goes on where a run before it stopped."""

import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gpu_plan  # noqa: E402


def step(name, python, seconds=30.0, **more):
    return gpu_plan.Step(name, [sys.executable, "-c", python], seconds, **more)


class Plan(unittest.TestCase):
    where = {"device": "a <GPU>", "driver": "1", "commit": "abc"}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name) / "out"

    def ends(self, steps, **how):
        known = gpu_plan.follow(steps, self.out, how.pop("where", self.where), **how)
        return {name: one["status"] for name, one in known["steps"].items()}

    def test_each_end(self):
        steps = [step("good", "print('1 < 2')"), step("bad", "raise SystemExit(3)"), step("none", "raise SystemExit(77)"),
                 step("missing", "raise SystemExit(3)", missing="no tool"),
                 step("late", "raise SystemExit(77)", may_skip=False)]
        self.assertEqual(self.ends(steps), {"good": "passed", "bad": "failed", "none": "skipped", "missing": "skipped",
                                            "late": "failed"})
        page = (self.out / "index.html").read_text(encoding="utf-8")
        for text in ("a &lt;GPU&gt;", "1 passed, 2 failed, 2 skipped", "1 &lt; 2", "exit status 3", "no tool"):
            self.assertIn(text, page)

    def test_what_hangs_is_stopped_with_its_children(self):
        mark = self.out.parent / "mark"
        child = f"import time, pathlib; time.sleep(3); pathlib.Path({str(mark)!r}).touch()"
        hangs = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
        self.assertEqual(self.ends([step("hangs", hangs, 1.0), step("next", "")]), {"hangs": "failed", "next": "passed"})
        time.sleep(3)
        self.assertFalse(mark.exists())

    def test_what_passed_is_not_run_again(self):
        counter = self.out.parent / "count"
        counts = f"import pathlib; p = pathlib.Path({str(counter)!r}); p.write_text((p.read_text() if p.exists() else '') + 'x')"
        steps = [step("counts", counts), step("bad", counts + "; raise SystemExit(1)")]
        self.ends(steps)
        self.assertEqual(counter.read_text(), "xx")
        self.ends(steps)  # what failed is
        self.assertEqual(counter.read_text(), "xxx")
        self.ends(steps, wanted=["counts"])  # and what is asked for
        self.assertEqual(counter.read_text(), "xxxx")
        self.ends(steps, where={**self.where, "commit": "other"})
        self.assertEqual(counter.read_text(), "xxxxxx")
        self.ends(steps, again=True, where={**self.where, "commit": "other"})
        self.assertEqual(counter.read_text(), "xxxxxxxx")

    def test_rehearsal_without_the_library_fails(self):
        steps, _ = gpu_plan.make_plan(self.out.parent, self.out, True)
        for each in steps:
            if each.name.startswith("tests of"):
                self.assertEqual((each.may_skip, list(each.environment)), (False, ["LD_LIBRARY_PATH"]))

    def test_rehearsal_has_every_step(self):
        names = [[each.name for each in gpu_plan.make_plan(pathlib.Path("b"), self.out, rehearsal)[0]] for rehearsal in (0, 1)]
        self.assertEqual(names[0], names[1])
        self.assertEqual(len(set(names[0])), len(names[0]))


if __name__ == "__main__":
    unittest.main()
