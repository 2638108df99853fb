#!/usr/bin/env python3
"""The race in examples/missing_barrier.cpp is reported as the README says; with its barrier there is nothing to report."""

import pathlib
import subprocess
import sys

program, readme = sys.argv[1:]
broken = subprocess.run([program], capture_output=True, text=True)
fixed = subprocess.run([program, "fixed"], capture_output=True, text=True)
printed = " ".join(broken.stdout.split())
documented = " ".join(pathlib.Path(readme).read_text().split())
complaints = [
    complaint
    for complaint, holds in (
        (f"the bug is not reported: {broken}", broken.returncode == 1 and "TG416" in printed),
        (f"the README does not print the report:\n{printed}", printed in documented),
        (f"the repaired kernel is reported: {fixed}", fixed.returncode == 0 and fixed.stdout == "nothing to report\n"),
    )
    if not holds
]
print("\n".join(complaints) or "reported, documented, and silent when repaired")
sys.exit(bool(complaints))
