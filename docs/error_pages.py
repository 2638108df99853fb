"""A page for each error of which the tests have programs: the row of its table, programs of tests/compile_fail/ that the C++ compiler
refuses, and calls of tests/runtime/misuse.cpp that throw it."""

import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "compile_fail"
MISUSE = ROOT / "tests" / "runtime" / "misuse.cpp"


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


def body_behind(text, begin):
    """What stands in the braces that open at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[begin + 1:at]
    return ""


def misuses(text):
    """By its code: what is wrong, the call, and a part of the message, of each row of the tables of misuse.cpp."""
    out = {}
    for found in re.finditer(r'\{"([^"]+)", (\d{3}), "((?:[^"\\]|\\.)*)",\s*\[[^\]]*\](?: *\(\))? *(?=\{)', text):
        call = re.sub(r"\bw\.", "", textwrap.dedent(body_behind(text, found.end()).strip("\n")))
        out.setdefault(f"TG{found[2]}", []).append((found[1], call.strip(), found[3].replace('\\"', '"')))
    return out


def calls(rows_of_code):
    lines = ["Calls that throw it, and a part of what they say:", "", "```cpp"]
    for what, call, message in rows_of_code[:6]:
        lines += [f"// {what}", *call.split("\n"), f"// {message}", ""]
    return lines[:-1] + ["```", ""]


def pages(text):
    """`tg201.md` and so on, and their text."""
    out, thrown = {}, misuses(MISUSE.read_text())
    for code, (meaning, cause, fix) in rows(text).items():
        paths = sorted(PROGRAMS.glob(f"{code}_*.cpp"))
        if not paths and code not in thrown:
            continue
        lines = [f"# {code}: {meaning}", "", f"- **Usual cause**: {cause}", f"- **What to do**: {fix}", ""]
        for path in paths[:3]:
            comment, wrong, right = program(path)
            lines += [comment, "", "```cpp", wrong, "```", ""]
            if right:
                lines += ["This compiles instead:", "", "```cpp", right, "```", ""]
            show = f"python3 tests/compile_fail/run.py --show {path.stem} --compiler g++"
            lines += ["What the compiler says:", "", "```sh", show, "```", ""]
        if code in thrown:
            lines += calls(thrown[code])
        out[f"{code.lower()}.md"] = "\n".join(lines + ["[All codes](../errors.md)", ""])
    return out
