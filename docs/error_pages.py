"""A page for each error of which the tests have programs: the row of its table, and what provokes it, from

- tests/compile_fail/: programs that the C++ compiler refuses,
- the tables of the files misuse*.cpp in tests/: calls that throw it,
- tests/emulator/faults/: PTX, with the whole message,
- tests/emulator/check/kernels/: CUDA kernels with a planted fault, and the whole report.
"""

import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "compile_fail"
FAULTS = ROOT / "tests" / "emulator" / "faults"
KERNELS = ROOT / "tests" / "emulator" / "check" / "kernels"
MOST_OF_A_KIND = {"programs": 3, "calls": 6, "kernels": 2}


def rows(text):
    """Meaning, usual cause and what to do of each code, from the table of the page, as the site's generator reads them."""
    cells = re.findall(r"^\| (TG\d{3}) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    return {code: tuple(cell.replace("\\<", "&lt;") for cell in rest) for code, *rest in cells}


def program(path):
    """Its first comment, its text as a user would write it, the right half alone, and lines of the comment by their marks.

    A line of the comment like `// launch: block 64` has the mark `launch`.
    """
    comment, marks, lines = [], {}, path.read_text().split("\n")
    while lines and lines[0].startswith("//"):
        text = lines.pop(0).removeprefix("//").strip()
        if found := re.match(r"(expect|launch|clang-format)\b:? ?(.*)", text):
            marks.setdefault(found[1], []).append(found[2])
        else:
            comment.append(text)
    out, half = [], None
    for line in lines:
        if line.startswith(("// expect", "// clang-format")):
            continue
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
    return " ".join(comment), wrong, right, marks


def body_behind(text, begin):
    """What stands in the braces that open at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[begin + 1:at]
    return ""


def misuses(text):
    """By its code: what is wrong, the call, and the message or a part of it, of each row of a table of misuse*.cpp.

    A function of one line that a file declares for its calls is said in a comment in front of them.
    """
    out, short = {}, re.findall(r"^template <class Body> void (\w+)\(Body body\) \{ (?:\(void\))?(.*) \}$", text, re.MULTILINE)
    for found in re.finditer(r'\{"([^"]+)",\s*(\d{3}),\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*\[[^\]]*\](?: *\(\))? *(?=\{)', text):
        call = re.sub(r"\bw\.", "", textwrap.dedent(body_behind(text, found.end()).strip("\n")))
        stands_for = [f"// {name}(body) is {means}\n" for name, means in short if re.search(rf"\b{name}\(", call)]
        message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found[3])).replace('\\"', '"')
        out.setdefault(f"TG{found[2]}", []).append((found[1], "".join(stands_for) + call.strip(), message))
    return out


def all_misuses():
    out = {}
    for path in sorted((ROOT / "tests").glob("*/misuse*.cpp")):
        for code, found in misuses(path.read_text()).items():
            out[code] = out.get(code, []) + found
    return out


def kernels():
    """By its code: a kernel of CUDA C++ with a fault, its report, and the clean twin that stands behind it, or nothing."""
    out = {}
    for path in sorted(KERNELS.glob("*.txt")):
        source, report = path.with_suffix(".cu").read_text(), {}
        for line in path.read_text().splitlines():
            if line.startswith("  "):
                report[name].append(line[2:])
            else:
                name = line
                report[name] = []
        for name, lines in report.items():
            out.setdefault(lines[0][:5], []).append((kernel(source, name), "\n".join(lines), kernel(source, f"{name}_right")))
    return {code: sorted(found, key=lambda each: len(each[0])) for code, found in out.items()}  # the shortest first


def kernel(source, name):
    found = re.search(rf"^__global__ void {name}\([^)]*\) (?=\{{)", source, re.MULTILINE)
    return found[0] + "{" + body_behind(source, found.end()) + "}" if found else ""


def wrapped(text, width=120):
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def block(language, *texts):
    return [f"```{language}", *(line for text in texts for line in text.split("\n")), "```", ""]


def refused_programs(paths):
    lines = []
    for path in paths[:MOST_OF_A_KIND["programs"]]:
        comment, wrong, right, _ = program(path)
        lines += [comment, "", *block("cpp", wrong)]
        if right:
            lines += ["This compiles instead:", "", *block("cpp", right)]
        show = f"python3 tests/compile_fail/run.py --show {path.stem} --compiler g++"
        lines += ["What the compiler says:", "", *block("sh", show)]
    return lines


def calls(rows_of_code):
    lines = []
    for what, call, message in rows_of_code[:MOST_OF_A_KIND["calls"]]:
        text = message if message.startswith("TG") else f"... {message} ..."
        lines += [f"{what[0].upper()}{what[1:]}:", "", *block("cpp", call), *block("text", *wrapped(text))]
    return lines


def faults(paths):
    lines = []
    for path in paths:
        comment, wrong, right, marks = program(path)
        launch, _, of_right = marks.get("launch", [""])[0].partition("; right: ")
        shown = f"\n\nIt is launched with: {launch}." if launch else ""
        lines += [comment + shown, "", *block("text", wrong), "The emulator says:", "",
                  *block("text", *wrapped(" ".join(marks["expect"])))]
        if right:
            lines += ["This is right instead:", "", *block("text", right)]
        elif of_right:
            lines += [f"It runs when it is launched with: {of_right}.", ""]
    return lines


def planted(kernels_of_code):
    lines = []
    for wrong, report, right in kernels_of_code[:MOST_OF_A_KIND["kernels"]]:
        lines += ["A kernel of CUDA C++:", "", *block("cpp", wrong), "What the emulator reports of its PTX:", "", *block("text", report)]
        if right:
            lines += ["This one is clean:", "", *block("cpp", right)]
    return lines


def without_page(text):
    """The codes of the table of which no test has a program."""
    have = pages(text)
    return [code for code in rows(text) if f"{code.lower()}.md" not in have]


def pages(text):
    """`tg201.md` and so on, and their text."""
    out, thrown, reported = {}, all_misuses(), kernels()
    for code, (meaning, cause, fix) in rows(text).items():
        shown = refused_programs(sorted(PROGRAMS.glob(f"{code}_*.cpp"))) + faults(sorted(FAULTS.glob(f"{code}_*.ptx")))
        shown += planted(reported.get(code, [])) + (calls(thrown[code]) if code in thrown else [])
        if shown:
            head = [f"# {code}: {meaning}", "", f"- **Usual cause**: {cause}", f"- **What to do**: {fix}", ""]
            out[f"{code.lower()}.md"] = "\n".join(head + shown + ["[All codes](../errors.md)", ""])
    return out
