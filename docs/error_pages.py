"""A page for each error of the C++ compiler: the row of its table, and the program of tests/compile_fail/ that provokes it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "compile_fail"


def rows(text):
    """Meaning, usual cause and what to do of each code, from the table of the page."""
    cells = re.findall(r"^\| (TG\d{3}) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    return {code: tuple(rest) for code, *rest in cells}


def program(path):
    """Its first comment, and its text as a user would write it: without the right half and the marks of the test."""
    lines = [line for line in path.read_text().split("\n") if not line.startswith(("// expect", "// clang-format"))]
    comment = []
    while lines and lines[0].startswith("//"):
        comment.append(lines.pop(0).removeprefix("//").strip())
    out, half = [], None
    for line in lines:
        if re.match(r"#\s*ifdef TG_WRONG", line):
            half = "wrong"
        elif half and re.match(r"#\s*else", line):
            half = "right"
        elif half and re.match(r"#\s*endif", line):
            half = None
        else:
            out.append((half, line))
    wrong = "\n".join(line for half, line in out if half != "right").strip("\n")
    right = "\n".join(line.strip() for half, line in out if half == "right").strip("\n")
    return " ".join(comment), wrong, right


def pages(text):
    """`tg201.md` and so on, and their text."""
    out = {}
    for code, (meaning, cause, fix) in rows(text).items():
        paths = sorted(PROGRAMS.glob(f"{code}_*.cpp"))
        if not paths:
            continue
        lines = [f"# {code}: {meaning}", "", f"- **Usual cause**: {cause}", f"- **What to do**: {fix}", ""]
        for path in paths[:3]:
            comment, wrong, right = program(path)
            lines += [comment, "", "```cpp", wrong, "```", ""]
            if right:
                lines += ["This compiles instead:", "", "```cpp", right, "```", ""]
            show = f"python3 tests/compile_fail/run.py --show {path.stem} --compiler g++"
            lines += ["What the compiler says:", "", "```sh", show, "```", ""]
        out[f"{code.lower()}.md"] = "\n".join(lines + ["[All codes](../errors.md)", ""])
    return out
