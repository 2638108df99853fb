#!/usr/bin/env python3
"""The race in examples/missing_barrier.cpp is reported as the README and the pages say; with its barrier there is nothing to
report.

missing_barrier.py PROGRAM README PAGES    PAGES: the folder of the pages
"""

import pathlib
import subprocess
import sys

BEGIN = "TG416: Race reported between Read access and Write access in __shared__ memory, 'ld.shared.f32' (PTX line 37)"


def documents(readme, pages):
    return [pathlib.Path(readme), *sorted(pathlib.Path(pages).rglob("*.md"))]


program, readme, pages = sys.argv[1:]
broken = subprocess.run([program], capture_output=True, text=True)
fixed = subprocess.run([program, "fixed"], capture_output=True, text=True)
printed = " ".join(broken.stdout.split())
texts = {str(path): " ".join(path.read_text().split()) for path in documents(readme, pages)}
complaints = [f"{path} does not print the report:\n{printed}" for path, text in texts.items()
              if (path == readme or BEGIN in text) and printed not in text]
if broken.returncode != 1 or "TG416" not in printed:
    complaints.append(f"the bug is not reported: {broken}")
if fixed.returncode != 0 or fixed.stdout != "nothing to report\n":
    complaints.append(f"the repaired kernel is reported: {fixed}")
print("\n".join(complaints) or "reported, documented, and silent when repaired")
sys.exit(bool(complaints))
