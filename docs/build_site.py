#!/usr/bin/env python3
"""Builds the site into build/docs/site: pages, cookbook, reference and the READMEs of the folders, with MkDocs.

build_site.py [--serve [PORT]]    --serve: serves it and builds it again when a source of it changes
"""

import functools
import html
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import cookbook
import error_pages
import nav
import reference
import results

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build" / "docs"


def folder_pages():
    """Files of the project that are pages of the architecture: their path, and their page."""
    out = {ROOT / "CONTRIBUTING.md": "architecture/contributing.md", ROOT / "include/tg/README.md": "architecture/facts.md",
           ROOT / "kernels/README.md": "architecture/kernels.md",
           ROOT / "kernels/arrays/README.md": "architecture/kernels/arrays.md", DOCS / "README.md": "architecture/docs.md"}
    for path in sorted((ROOT / "include/tg").rglob("README.md")):
        name = path.parent.relative_to(ROOT / "include/tg")
        if name.parts:
            out[path] = f"architecture/{'/'.join(name.parts)}.md"
    return {path: page for path, page in out.items() if path.exists()}


def sources():
    """Every page that is copied: its path in the project, and its page."""
    out = {path: str(path.relative_to(DOCS / "pages")) for path in sorted((DOCS / "pages").rglob("*")) if path.is_file()}
    if "index.md" not in out.values():
        out[ROOT / "README.md"] = "index.md"
    return out | folder_pages()


def relinked(text, path, page, known):
    """Links to files that are pages become links to those pages; links to other files become code."""
    def change(found):
        shown, target, anchor = found[2], found[3], found[4] or ""
        if re.match(r"[a-z]+:", target) or not target:
            return found[0]
        place = pathlib.Path(os.path.normpath(path.parent / target))
        made = known.get(place)
        inside = DOCS / "pages"
        if not made and place.is_relative_to(inside):
            made = str(place.relative_to(inside))  # made by the cookbook or the reference
        if not made:
            return f"`{place.relative_to(ROOT)}`" if shown.startswith("`") or found[1] else f"{shown} (`{place.relative_to(ROOT)}`)"
        return f"{found[1]}[{shown}]({os.path.relpath(made, pathlib.PurePosixPath(page).parent)}{anchor})"

    out, is_code = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        out.append(line if is_code else re.sub(r"(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)", change, line))
    return "\n".join(out)


def row_for_site(line):
    """A row of a table as the generator reads it: it shows the backslash of `a \\| b` in code, and takes `\\<int>` for a tag."""
    def change(code):
        return f"<code>{html.escape(code[1]).replace(chr(92) + '|', '&#124;')}</code>" if "\\|" in code[1] else code[0]

    return re.sub(r"`([^`]*)`", change, line).replace("\\<", "&lt;")


def staged(text, path, page, known):
    text = relinked(text, path, page, known)
    text = "\n".join(row_for_site(line) if line.startswith("|") else line for line in text.split("\n"))
    own = error_pages.pages(text) if page == "errors.md" else {}

    def row(found):
        name = found[1].lower()
        shown = f"[{found[1]}](errors/{name}.md)" if f"{name}.md" in own else found[1]
        return f'| <span id="{name}"></span>{shown} |'

    text = re.sub(r"^\| (TG\d{3}) \|", row, text, flags=re.MULTILINE)
    return re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE | re.DOTALL)


def stage():
    """Writes what MkDocs reads; returns its configuration's path."""
    folder = BUILD / "src"
    shutil.rmtree(folder, ignore_errors=True)
    known, pages = sources(), set()

    def put(page, text):
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        pages.add(str(page))

    for path, page in known.items():
        if path.suffix == ".md":
            put(page, staged(path.read_text(), path, page, known))
        else:
            (folder / page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / page)
    for name, text in error_pages.pages((DOCS / "pages/errors.md").read_text()).items():
        put(f"errors/{name}", text)
    for name, text in results.pages().items():
        put(f"benchmarks/{name}", text)
    for path in cookbook.programs():
        put(f"cookbook/{path.stem}.md", cookbook.page(path))
    if cookbook.programs():
        put("cookbook/index.md", cookbook.front_page())
    pages |= {f"reference/{page}" for page in reference.write(folder / "reference")}
    shutil.copy(DOCS / "style.css", folder / "style.css")
    config = BUILD / "mkdocs.yml"
    config.write_text(f"INHERIT: {DOCS / 'mkdocs.yml'}\ndocs_dir: {folder}\nsite_dir: {BUILD / 'site'}\n"
                      f"nav: {json.dumps(nav.menu(pages))}\n")  # JSON is YAML
    return config


def build():
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(stage())]
    done = subprocess.run(command, env=dict(os.environ, NO_MKDOCS_2_WARNING="1"))
    if done.returncode == 0:
        print(f"the site is in {(BUILD / 'site').relative_to(ROOT)}/index.html")
    return done.returncode


def newest():
    paths = [*DOCS.rglob("*"), *(ROOT / "include/tg").rglob("*"), ROOT / "README.md"]
    return max(path.stat().st_mtime for path in paths if path.is_file() and "__pycache__" not in path.parts)


def serve(port):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=BUILD / "site")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/ (end with Ctrl-C)", flush=True)
    seen = newest()
    try:
        while True:
            time.sleep(1)
            if newest() > seen:
                seen = newest()
                build()
    except KeyboardInterrupt:
        return 0


def main():
    status = build()
    if "--serve" not in sys.argv:
        return status
    words = sys.argv[sys.argv.index("--serve") + 1 :]
    return serve(int(words[0]) if words else 8000)


if __name__ == "__main__":
    sys.exit(main())
