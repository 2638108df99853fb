"""Parts of C++ text that are read without a compiler: comments, brackets, the head of a template."""

import re

COMMENT_OR_STRING = re.compile(
    r'R"(\w*)\((.*?)\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", re.DOTALL)


def blanked(text):
    """The text without comments, strings and directives, with every character that is left in its place."""
    out = list(text)

    def blank(begin, end, keep=""):
        for k in range(begin, end):
            if out[k] != "\n" and out[k] not in keep:
                out[k] = " "

    for found in COMMENT_OR_STRING.finditer(text):
        if found[0].startswith("/"):
            blank(*found.span())
        else:
            blank(found.start() + 1, found.end() - 1)
    lines, at, goes_on = "".join(out).split("\n"), 0, False
    for line in lines:
        if goes_on or line.lstrip().startswith("#"):
            goes_on = line.endswith("\\")
            blank(at, at + len(line))
        at += len(line) + 1
    return "".join(out)


def closing(text, at):
    """Where the bracket at `at` is closed."""
    depth, pairs = 0, {"{": "}", "(": ")", "[": "]"}
    begin, end = text[at], pairs[text[at]]
    for k in range(at, len(text)):
        depth += (text[k] == begin) - (text[k] == end)
        if depth == 0:
            return k
    return len(text) - 1


def without_brackets(text):
    """The text without what stands in parentheses and square brackets."""
    out, k = [], 0
    while k < len(text):
        if text[k] in "([":
            k = closing(text, k)
        else:
            out.append(text[k])
        k += 1
    return "".join(out)


def without_template(head):
    """The head of a declaration behind `template <...>` and its `requires`."""
    while found := re.match(r"\s*template\s*<", head):
        depth, k = 0, found.end() - 1
        while k < len(head):
            if head[k] in "([":
                k = closing(head, k)
            elif head[k] == "<" and head[k - 1 : k + 1] != "<<":
                depth += 1
            elif head[k] == ">" and head[k - 1] not in "-=":
                depth -= 1
                if depth == 0:
                    break
            k += 1
        head = head[k + 1 :]
        if re.match(r"\s*requires\b", head):
            head = head[re.match(r"\s*requires\b", head).end() :]
            while True:  # a clause: names with arguments, parentheses, joined by && and ||
                head = head.lstrip()
                if head.startswith("requires"):
                    head = head[8:].lstrip()
                    if head.startswith("("):
                        head = head[closing(head, 0) + 1 :].lstrip()
                    if head.startswith("{"):
                        head = head[closing(head, 0) + 1 :]
                elif head.startswith("("):
                    head = head[closing(head, 0) + 1 :]
                else:
                    name = re.match(r"!?\s*(?:::)?\w+(?:::\w+)*", head)
                    if not name:
                        break
                    rest = head[name.end() :].lstrip()
                    if rest.startswith("<"):
                        depth, k = 0, 0
                        while k < len(rest):
                            if rest[k] in "([":
                                k = closing(rest, k)
                            depth += (rest[k] == "<") - (rest[k] == ">" and rest[k - 1] != "-")
                            if depth == 0:
                                break
                            k += 1
                        rest = rest[k + 1 :]
                    while rest.startswith("::"):
                        rest = re.sub(r"^::\w+", "", rest)
                    if rest.lstrip().startswith("("):
                        rest = rest.lstrip()
                        rest = rest[closing(rest, 0) + 1 :]
                    head = rest
                joined = re.match(r"\s*(&&|\|\|)", head)
                if not joined:
                    break
                head = head[joined.end() :]
    return head.strip()
