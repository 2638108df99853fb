"""What the tools read of a Markdown page: fenced blocks with the comments in front of them, headings, links."""

import dataclasses
import html
import re
import unicodedata

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([^`]*)$")


@dataclasses.dataclass
class Block:
    path: str
    line: int        # of the first line of code, from 1
    language: str
    text: str
    notes: list      # comments in front of it, without their marks; the nearest last


@dataclasses.dataclass
class Page:
    path: str
    blocks: list
    comments: list   # (line of the text behind `<!--`, text) of each comment
    prose: list      # (line, text) of each line outside of blocks and comments


def read(path, text):
    page, lines, notes, k = Page(str(path), [], [], []), text.split("\n"), [], 0
    while k < len(lines):
        line = lines[k]
        if found := FENCE.match(line):
            indent, mark, language = found.groups()
            end = k + 1
            while end < len(lines) and lines[end].strip() != mark:
                end += 1
            code = [own[len(indent):] if own.startswith(indent) else own.lstrip() for own in lines[k + 1 : end]]
            page.blocks.append(Block(page.path, k + 2, language.strip(), "".join(own + "\n" for own in code), notes))
            notes, k = [], end + 1
            continue
        if line.strip().startswith("<!--"):
            end = k
            while end < len(lines) - 1 and "-->" not in lines[end]:
                end += 1
            text = "\n".join(lines[k : end + 1]).strip()
            notes = notes + [text[4:].split("-->")[0].strip()]
            page.comments.append((k + 1, notes[-1]))
            k = end + 1
            continue
        if line.strip():
            notes = []
        page.prose.append((k + 1, line))
        k += 1
    return page


def slug(heading):
    """The anchor that the site gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = html.unescape(re.sub(r"[`*]", "", text))
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def anchors(page):
    found, counts = set(), {}
    for _, line in page.prose:
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        own = re.search(r"\{\s*#([\w-]+)[^}]*\}\s*$", line) if heading else None
        if own:
            found.add(own[1])
        elif heading:
            name = slug(heading[1])
            counts[name] = counts.get(name, -1) + 1
            found.add(f"{name}_{counts[name]}" if counts[name] else name)
        found.update(re.findall(r'<\w+[^>]*\s(?:id|name)="([^"]+)"', line))
        if code := re.match(r"\| (TG\d{3}) \|", line):
            found.add(code[1].lower())
    return found


def links(page):
    """(line, target) of each link and picture that is not of the web."""
    out = []
    for number, line in page.prose:
        shown = re.sub(r"(`+).*?\1", "", line)
        for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", shown) + re.findall(r'(?:href|src)="([^"]+)"', shown):
            if not re.match(r"[a-z]+:", target):
                out.append((number, target))
    return out
