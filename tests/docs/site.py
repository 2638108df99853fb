#!/usr/bin/env python3
"""Builds the site and opens pages of it in headless Chromium: no error, nothing fetched from elsewhere, no page wider than the screen.
Each page is seen on a light desktop and on a dark telephone, the first of the list on both in both colours. Skipped (77) where MkDocs
cannot be installed, or there is no Chromium.

site.py [FOLDER [PAGE...]]    sees the pages everywhere, and keeps the screenshots in FOLDER
"""

import functools
import http.server
import itertools
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/explain"))
import screenshots

SITE = ROOT / "build/docs/site"
SCREENS, SCHEMES = ("desktop", "telephone"), ("light", "dark")
PAGES = ["index.html", "errors.html", "benchmarks.html", "how-it-works.html", "architecture.html", "guide/headers.html",
         "reference/index.html", "reference/dsl/index.html", "reference/dsl/memory/view.html", "reference/runtime/device.html"]


def main():
    words = sys.argv[1:]
    program = screenshots.chromium()
    built = subprocess.run([ROOT / "dev", "docs"])
    if built.returncode:
        return built.returncode
    folder = pathlib.Path(words[0]) if words else None
    pages = words[1:] or PAGES + [str(path.relative_to(SITE)) for name in ("guide", "coming-from", "cookbook")
                                  for path in sorted((SITE / name).glob("*.html"))[:3]]
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    complaints = []
    if "global_index" not in (SITE / "search/search_index.json").read_text():
        complaints.append("the search does not know global_index")
    for path in [SITE / "errors.html", *(SITE / "errors").glob("*.html")]:
        article = path.read_text().partition("<article")[2].partition("</article")[0]
        if "\\&lt;" in article or "\\<" in article:
            complaints.append(f"{path.name} shows an escaped bracket")
    quiet = type("quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        browser = screenshots.Browser(program, pathlib.Path(scratch) / "profile")
        for page in dict.fromkeys(pages):
            if not (SITE / page).exists():
                complaints.append(f"there is no {page}")
                continue
            is_sample = not folder and page != pages[0]
            for screen, scheme in zip(SCREENS, SCHEMES) if is_sample else itertools.product(SCREENS, SCHEMES):
                picture = folder and folder / f"{page.replace('/', '-').removesuffix('.html')}-{screen}-{scheme}.png"
                said = screenshots.look_at(browser, base + page, screen, scheme, picture, base)
                complaints += [f"{page}: {complaint}" for complaint in said]
        browser.close()
    print("\n".join(complaints) or "every page fits both screens, no error, nothing fetched")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
