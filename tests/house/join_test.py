#!/usr/bin/env python3
"""Shows that tests/join.py loses no test, keeps files apart and their lines, and leaves alone what it must not join."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

JOIN = pathlib.Path(__file__).resolve().parents[1] / "join.py"

PART = """#include <cstdio>

namespace {{
int value() {{ return {number}; }}
}}
struct caller {{ caller() {{ std::printf("%d %s:%d\\n", value(), __FILE__, __LINE__); }} }} const call;
"""

ALONE = {
    "named.cpp": "#include <cstdio>\nnamespace named {\nint x;\n}\n",
    "defines.cpp": "#define TWO 2\nint x = TWO;\n",
    "special.cpp": "#include <functional>\nstruct a {};\ntemplate <> struct std::hash<a> {};\n",
    "mixed.cpp": "int x;\n#include <cstdio>\n",
    "adapted.cpp": "#include <boost/hana/adapt_struct.hpp>\nstruct a { int x; };\nBOOST_HANA_ADAPT_STRUCT(a, x);\n",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(3):
            (folder / f"part{number}.cpp").write_text(PART.format(number=number))
        for file, text in ALONE.items():
            (folder / file).write_text(text)
        files = sorted(str(path) for path in folder.glob("*.cpp"))
        plan = subprocess.run([sys.executable, JOIN, "--plan", "1000", *files], capture_output=True, text=True, check=True)
        units = [line.split(";") for line in plan.stdout.split()]
        if sorted(sum(units, [])) != files:
            complaints.append(f"the plan does not hold each file once: {units}")
        if sorted(len(unit) for unit in units) != [1, 1, 1, 1, 1, 3]:
            complaints.append(f"what cannot be joined is joined: {units}")

        out, program = folder / "out" / "unit.cpp", folder / "program"
        subprocess.run([sys.executable, JOIN, out, *max(units, key=len)], check=True)
        (folder / "main.cc").write_text("int main() {}\n")
        subprocess.run([compiler, out, "-x", "c++", folder / "main.cc", "-o", program], check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        expected = "".join(f"{number} {folder.resolve()}/part{number}.cpp:6\n" for number in range(3))
        if printed != expected:
            complaints.append(f"the joined program printed\n{printed}instead of\n{expected}")

        refused = subprocess.run([sys.executable, JOIN, out, folder / "named.cpp", files[-1]], capture_output=True, text=True)
        if refused.returncode == 0 or "cannot be joined" not in refused.stderr:
            complaints.append("a file that became unfit was joined")
    print("\n".join(complaints) or "ok")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
