#!/usr/bin/env python3
"""The public names of the headers and what their `///` comments say. It reads the text, without a compiler.

A name is public when it stands in namespace tg, or in an inner namespace that is not one of HIDDEN. The members of a public class
that stand under `public:` (or in a struct) belong to it.

declarations.py            how many of the names have a comment, by folder
declarations.py --missing [FOLDER]    the names that have none
"""

import dataclasses
import pathlib
import re
import sys

from cpp_text import blanked, closing, without_brackets, without_template

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
HIDDEN = {"detail", "entry", "libcuda", "symbols", "missing", "trait", "quad_pair", "atomic_math", "forms", "std", "boost", "hana"}
CLASS = re.compile(r"\b(class|struct|union|enum)\b(?:\s+(?:class|struct))?(?:\s+(?:\[\[[^\]]*\]\]|alignas\([^)]*\)))*\s+([A-Za-z_]\w*)")
KEYWORDS = {"if", "for", "while", "switch", "return", "decltype", "noexcept", "alignof", "sizeof", "alignas", "static_assert", "requires",
            "explicit", "operator", "throw", "new", "delete", "case", "typename"}


@dataclasses.dataclass
class Declaration:
    space: str       # tg, tg::approx
    name: str
    kind: str        # class, enum, alias, concept, variable, function, operator, guide
    signature: str
    comment: str     # what `///` says, without the slashes; empty where nothing does
    line: int
    members: list = dataclasses.field(default_factory=list)
    is_forward: bool = False  # a class that is declared and not defined


def kind_and_name(head):
    """Of a declaration's head; (None, None) where it declares nothing that is spoken of."""
    own = re.sub(r"\[\[.*?\]\]", " ", without_template(head)).strip()
    own = re.sub(r"^(?:TG_\w+\s+)+", "", own)
    if not own or re.match(r"(static_assert|friend|extern template|namespace|asm)\b", own):
        return None, None
    if found := re.match(r"concept\s+(\w+)", own):
        return "concept", found[1]
    if found := re.match(r"using\s+(?:enum\s+)?(\w+)\s*=", own):
        return "alias", found[1]
    if found := re.match(r"using\s+.*?(\w+)$", own):
        return None, None
    if re.match(r"(class|struct|union|enum)\b", own) and (found := CLASS.match(own)):
        rest = own[found.end() :].lstrip()
        if rest.startswith("<"):
            return None, None  # a specialisation says what its template says
        if rest == "" or rest.startswith((":", "final")):
            return "enum" if found[1] == "enum" else "class", found[2]
    if found := re.search(r"\boperator\s*([^\s(]+|\(\s*\)|\s*\w+)", own):
        return "operator", "operator" + found[1].replace(" ", "")
    begin = re.split(r"=(?!=)", own)[0] if not re.search(r"\)\s*(const|noexcept|->|=|requires|$)", own) else own
    call = re.search(r"(~?\w+)\s*(?:<[^()]*>)?\s*\(", own)
    equals = re.search(r"(?<![=!<>])=(?!=)", own)
    while call and call[1] in KEYWORDS | {"auto"}:
        if own[call.end() - 1] == "(":
            end = closing(own, call.end() - 1)
        later = re.search(r"(~?\w+)\s*(?:<[^()]*>)?\s*\(", own[end + 1 :])
        if not later:
            call = None
            break
        own, call = own[end + 1 :], later
        equals = re.search(r"(?<![=!<>])=(?!=)", own)
    if call and (not equals or call.start() < equals.start()):
        if "::" in own[: call.end()].split()[-1].split("(")[0]:
            return None, None  # defined elsewhere
        after = own[closing(own, call.end() - 1) + 1 :]
        if re.match(r"\s*->", after) and own[: call.start()].strip() in ("", "explicit"):
            return "guide", call[1]
        return "function", call[1]
    begin = re.split(r"(?<![=!<>])=(?!=)|\{", own)[0].strip()
    if found := re.search(r"(\w+)\s*(?:\[[^\]]*\])?(?:\s*:\s*\d+)?$", begin):
        if re.search(r"<[^>]*>$", begin) or found[1] in KEYWORDS or not re.search(r"\s", begin):
            return None, None
        return "variable", found[1]
    return None, None


def refusal(body):
    """What a type of tg::diagnosis says when it refuses: the text of its static_assert."""
    text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', body.split("static_assert", 1)[1])) if "static_assert" in body else ""
    return text if re.match(r"TG\d{3}", text) else ""


class Reader:
    def __init__(self, text):
        self.raw, self.text = text, blanked(text)
        self.raw_lines = text.split("\n")
        self.found = []

    def line_of(self, at):
        return self.text.count("\n", 0, at)

    def comment_of(self, first, last):
        out, k = [], first - 1
        while k >= 0 and self.raw_lines[k].strip().startswith("// clang-format"):
            k -= 1
        while k >= 0 and self.raw_lines[k].strip().startswith("///") and not self.raw_lines[k].strip().startswith("///<"):
            out.insert(0, re.sub(r"^\s*/// ?", "", self.raw_lines[k]))
            k -= 1
        if not out:
            for k in range(first, min(last + 1, len(self.raw_lines))):
                if "///<" in self.raw_lines[k]:
                    out.append(self.raw_lines[k].split("///<", 1)[1].strip())
        return "\n".join(out)

    def add(self, into, space, head, begin, end):
        kind, name = kind_and_name(head)
        if not kind or not space.startswith("tg"):
            return None
        first = self.line_of(begin)
        last = self.line_of(end)
        shown = self.raw[begin : begin + len(head)].rstrip()
        shown = re.sub(r"[ \t]*//[^\n]*", "", shown)
        shown = re.sub(r"\n\s*", " ", shown)
        if kind in ("function", "operator", "guide", "alias", "concept", "variable"):
            shown = shown.strip()
        declared = Declaration(space, name, kind, shown, self.comment_of(first, last), first + 1)
        declared.is_forward = kind in ("class", "enum") and self.text[begin + len(head)] == ";"
        into.append(declared)
        return declared

    def read(self, begin, end, space, into, in_class=False, is_public=True):
        """The declarations between two places, of which `space` is the namespace."""
        text, at = self.text, begin
        while at < end:
            if text[at].isspace() or text[at] in ";}":
                at += 1
                continue
            if in_class and (found := re.compile(r"(public|private|protected)\s*:(?!:)").match(text, at)):
                is_public, at = found[1] == "public", found.end()
                continue
            macro = re.compile(r"TG_[A-Z_0-9]+\s*(?=\()").match(text, at)
            if macro:
                close = closing(text, macro.end())
                rest = re.compile(r"\s*").match(text, close + 1).end()
                line_ends = "\n" in text[close + 1 : rest] or rest >= end
                if line_ends or text[rest : rest + 1] in ";}":
                    at = close + 1
                    continue
            at = self.statement(at, end, space, into, in_class, is_public)
        return into

    def statement(self, at, end, space, into, in_class, is_public):
        text, start = self.text, at
        k = at
        while k < end:
            c = text[k]
            if c in "([":
                k = closing(text, k)
            elif c == ";":
                if is_public:
                    self.add(into, space, text[start:k], start, k)
                return k + 1
            elif c == "{":
                head, close = text[start:k], closing(text, k)
                if found := re.match(r"\s*(?:inline\s+)?namespace\s+([\w:]*)\s*$", head):
                    names = found[1].split("::") if found[1] else ["detail"]
                    inner = "::".join(filter(None, [space, *names]))
                    if not HIDDEN & set(names) and (inner == "tg" or inner.startswith("tg::")):
                        self.read(k + 1, close, inner, into)
                    return close + 1
                if re.search(r"\brequires\s*$", head) or re.search(r"\brequires\s*\([^{}]*\)\s*$", head):
                    k = close + 1
                    continue
                own = without_template(head)
                own = re.sub(r"\[\[.*?\]\]", " ", own).strip()
                if re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)", without_brackets(own)) and not re.search(r"\boperator\s*\W*=", own):
                    k = close + 1  # an initialiser: it ends with a semicolon
                    continue
                declares_class = re.match(r"(class|struct|union|enum)\b", own) and not re.search(r"\)\s*(const|noexcept)?\s*$", own)
                if declares_class:
                    declared = self.add(into, space, head, start, k) if is_public else None
                    if declared and declared.kind == "class":
                        starts_public = not re.match(r"class\b", own)
                        self.read(k + 1, close, space, declared.members, True, starts_public)
                    if declared and not declared.comment and space.startswith("tg::diagnosis"):
                        declared.comment = refusal(self.raw[k + 1 : close])
                    if declared and declared.kind == "enum":
                        declared.signature += " { " + " ".join(re.sub(r"\s*//[^\n]*", "", self.raw[k + 1 : close]).split()) + " }"
                    if (k := text.find(";", close)) == -1:
                        return end
                    return k + 1
                after = re.compile(r"\s*").match(text, close + 1).end()
                is_function = "(" in own
                if is_public:
                    self.add(into, space, head, start, close if text.count("\n", start, close) == 0 else k)
                return after + 1 if text[after : after + 1] == ";" and not is_function else close + 1
            k += 1
        return end


def opening(text):
    """The comment that a header begins with."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(re.sub(r"^// ?", "", line))
    return "\n".join(lines)


def declarations_in(text, header=""):
    """A class that is called as its header is what the header begins with; an error code is what the row of its number says."""
    declared, lines = Reader(text).read(0, len(text), "", []), text.split("\n")
    meanings = dict(re.findall(r'\{\s*(\d{3})\s*,\s*"((?:[^"\\]|\\.)*)"', text))
    for d in declared:
        number = re.match(r"inline constexpr code \w+\{(\d{3})\};", lines[d.line - 1])
        if not d.comment and number and number[1] in meanings:
            d.comment = f"TG{number[1]}: {meanings[number[1]]}."
        if not d.comment and d.kind == "class" and d.name == header and not d.is_forward:
            d.comment = opening(text)
        if not d.comment and d.name in ("codes",) and header == "codes":
            d.comment = opening(text)
    return declared


def headers(root=INCLUDE):
    return sorted(path for path in (root / "tg").rglob("*.hpp"))


def public_names(declared):
    """One entry for each name of a header: (space, name) and whether one of its declarations has a comment."""
    out = {}
    for d in declared:
        if d.kind not in ("operator", "guide"):
            out[d.space, d.name] = out.get((d.space, d.name), False) or bool(d.comment)
    return out


def coverage(root=INCLUDE):
    """Names with a comment and all names, by folder; and what is missing as (path, line, name)."""
    counts, missing, elsewhere = {}, [], set()
    read = {path: declarations_in(path.read_text(), path.stem) for path in headers(root)}
    for declared in read.values():  # a name that one header explains is explained
        elsewhere |= {name for name, has in public_names(declared).items() if has}
    for path, declared in read.items():
        relative = path.relative_to(root / "tg")
        folder = relative.parts[0] if len(relative.parts) > 1 else "."
        names = public_names(declared)
        have = {name for name in names if names[name] or name in elsewhere}
        with_comment, total = counts.get(folder, (0, 0))
        counts[folder] = with_comment + len(have), total + len(names)
        for d in declared:
            if (d.space, d.name) in names and (d.space, d.name) not in have:
                missing.append((path, d.line, f"{d.space}::{d.name}"))
                have.add((d.space, d.name))
    return counts, missing


def main():
    counts, missing = coverage()
    if "--missing" in sys.argv:
        under = sys.argv[sys.argv.index("--missing") + 1 :] or [""]
        for path, line, name in missing:
            relative = path.relative_to(ROOT)
            if str(relative).startswith(f"include/tg/{under[0]}"):
                print(f"{relative}:{line}: {name}")
        return
    for folder, (have, total) in sorted(counts.items()):
        print(f"{folder:10} {have:5} of {total:5}  {100 * have / max(total, 1):5.1f} %")
    have, total = (sum(column) for column in zip(*counts.values()))
    print(f"{'all':10} {have:5} of {total:5}  {100 * have / total:5.1f} %")


if __name__ == "__main__":
    main()
