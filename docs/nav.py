"""The menu of the site: sections in this order, pages in this order where they exist, all others behind them by their names."""

SECTIONS = [  # title, folder or page
    ("Guide", "guide"),
    ("Coming from", "coming-from"),
    ("Cookbook", "cookbook"),
    ("Reference", "reference"),
    ("Error codes", "errors.md"),
    ("How it works", "how-it-works.md"),
    ("Architecture", "architecture.md"),
    ("Benchmarks", "benchmarks.md"),
]
FIRST = ["index", "install", "first-kernel", "arrays", "tiles", "lanes", "kernel-library", "compile-errors", "checking", "explaining",
         "streams-and-graphs", "shipping", "debugging", "interop", "headers", "cuda", "triton", "cute", "dsl", "tile",
         "tree", "array", "runtime", "analysis", "layout", "explain", "emulator", "ptx", "driver", "base"]


def order(name):
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)


def menu(pages):
    """The menu as MkDocs takes it, of pages given by their paths; pages of the reference's headers are found by their folder's."""
    out = [{"tg": "index.md"}]
    for title, place in SECTIONS:
        if place.endswith(".md"):
            beside = place.removesuffix(".md") + "/"
            inner = sorted(page for page in pages if page.startswith(beside) and place != "errors.md")
            if place in pages:
                out.append({title: [place, *inner] if inner else place})
            continue
        own = [page for page in pages if page.startswith(f"{place}/")]
        if place == "reference":
            own = [page for page in own if page.endswith("index.md")]
        own.sort(key=lambda page: order(page.removeprefix(f"{place}/").removesuffix("/index.md").removesuffix(".md")))
        if own:
            out.append({title: own})
    return out
