"""The pages of the cookbook, made of the programs docs/cookbook/NAME.cpp.

A program begins with `// Title`, then comment lines: the text of its page, as Markdown. It may end with a comment whose first line is
`// Prints:`; the lines below it are exactly what the program prints.
"""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent / "cookbook"


def programs(folder=FOLDER):
    return sorted(folder.glob("*.cpp"))


def parts(text):
    """Title, text, code, and what the program prints (None where it does not say)."""
    lines = text.rstrip("\n").split("\n")
    end = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    comment = [re.sub(r"^// ?", "", line) for line in lines[:end]]
    printed = None
    start = len(lines)
    while start > end and lines[start - 1].startswith("//"):
        start -= 1
    if start < len(lines) and lines[start] == "// Prints:":
        printed = "".join(re.sub(r"^// ?", "", line) + "\n" for line in lines[start + 1 :])
        lines = lines[:start]
    code = "\n".join(lines[end:]).strip("\n") + "\n"
    return comment[0] if comment else "", "\n".join(comment[1:]).strip("\n"), code, printed


def page(path):
    title, text, code, printed = parts(path.read_text())
    out = [f"# {title}", "", text, "", "```cpp", code.rstrip("\n"), "```", ""]
    if printed is not None:
        out += ["It prints:", "", "```text", printed.rstrip("\n"), "```", ""]
    return "\n".join(out + [f"The program is `docs/cookbook/{path.name}`.", ""])


def front_page(folder=FOLDER):
    rows = [f"| [{parts(path.read_text())[0]}]({path.stem}.md) | `docs/cookbook/{path.name}` |" for path in programs(folder)]
    head = ["# Cookbook", "", "Whole programs. The tests compile and run each of them.", "", "| recipe | file |", "|---|---|"]
    return "\n".join([*head, *rows, ""])
