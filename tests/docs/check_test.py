#!/usr/bin/env python3
"""Each check of docs/check.py finds the fault that it is for, and says nothing of the clean twin."""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import build_site
import check
import cookbook
import declarations
import error_pages
import markdown
import reference

README = "# tg\n\n[errors](docs/pages/errors.md#tg101), [a title](docs/pages/a.md#a-title-of-tga-b)\n"
ERRORS = "# Error codes\n\n| code | meaning |\n|---|---|\n| TG101 | one |\n"
PAGE = ("# A title of `tg::a` & b\n\n![p](p.svg) [errors](errors.md) [made](cookbook/one.md) [word](reference/dsl/w.md#word)\n\n"
        "```sh\nls\n```\n")
HEADER = "// Words.\n#pragma once\n\nnamespace tg {\n\n/// A word. Errors: TG101.\ninline int word() { return 1; }\n\n}  // namespace tg\n"
CODES = 'namespace tg {\n/// Codes.\ninline constexpr auto codes = std::to_array<code_info>({\n    {101, "one", "a", "b"},\n});\n}\n'
found_wrong = []


def project(folder, **changes):
    files = {"README.md": README, "docs/pages/errors.md": ERRORS, "docs/pages/a.md": PAGE, "docs/pages/p.svg": "<svg/>",
             "docs/cookbook/one.cpp": "// One\nint main() {}\n", "include/tg/dsl/w.hpp": HEADER, "include/tg/dsl/codes.hpp": CODES,
             "examples/e.cpp": "int a;\nint b;\n", "examples/a/f.cpp": "// F\n//\n// Text.\nint main() {}\n"}
    files |= {name.replace("__", "/").replace("_dot_", "."): text for name, text in changes.items()}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    reference.public_headers.cache_clear()
    return check.complaints(folder)


def expect(what, complaint, **changes):
    """`complaint`: part of the only complaint; empty where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        found = project(pathlib.Path(folder), **changes)
    if len(found) != bool(complaint) or (complaint and complaint not in found[0]):
        found_wrong.append(f"{what}: {found}")


def page(text):
    return {"docs__pages__a_dot_md": PAGE + text}


expect("a clean project", "")
expect("a link to nowhere", "there is no b.md", **page("[b](b.md)\n"))
expect("an anchor of another page", "has no #tg999", **page("[b](errors.md#tg999)\n"))
expect("an anchor of this page", "this page has no #nowhere", **page("[b](#nowhere)\n"))
expect("an anchor of a page that is made", "has no #words", **page("[b](reference/dsl/w.md#words)\n"))
expect("a page of the cookbook without its program", "there is no cookbook/two.md", **page("[b](cookbook/two.md)\n"))
expect("a page of the cookbook that is an example", "", **page("[b](cookbook/f.md)\n"))
expect("an example without a title", "there is no cookbook/e.md", **page("[b](cookbook/e.md)\n"))
RUN = ('{"device": "CPU", "parts": [{"bench": "b", "machine": "m", "commit": "0123456789abcdef", "day": "2026-01-02", "rows": ['
       '{"name": "one code", "ours": 2, "other": 1, "other_name": "nvcc", "unit": "bytes", "ratio": 2, "better": "lower"}]}]}')
TABLE = ("<!-- rows cpu b code -->\n`./dev bench b`, m, commit `0123456789ab`, 2026-01-02:\n\n|  | code | nvcc |\n|---|--:|--:|\n"
         "| one | **2** | 1 |\n\n<!-- /rows -->\n")
expect("a table of results", "", bench__results__cpu_dot_json=RUN, **page(TABLE))
expect("a table that says something else", "a table is not what bench/results says", bench__results__cpu_dot_json=RUN,
       **page(TABLE.replace("**2**", "1")))
expect("a table of all rows", "", bench__results__cpu_dot_json=RUN,
       **page(TABLE.replace(" code -->", " -->").replace("|  | code | nvcc |\n|---|--:|--:|\n| one | **2** | 1 |",
              "| row | ours | unit | beside | | ratio |\n|---|--:|---|---|--:|--:|\n| one code | **2** | bytes | nvcc | 1 | 2 |")))
expect("a table of some rows", "", bench__results__cpu_dot_json=RUN,
       **page(TABLE.replace(" code -->", " code only=two -->").replace("|  | code | nvcc |\n|---|--:|--:|\n| one | **2** | 1 |",
              "|  | code | beside |\n|---|--:|--:|")))
expect("two recipes of one name", "two recipes are called one.cpp", examples__one_dot_cpp="// One\n//\nint main() {}\n")
expect("a picture that is missing", "there is no q.png", **page("![q](q.png)\n"))
expect("a link in code", "", **page("`[b](b.md)`\n"))
expect("a block without a language", "does not say its language", **page("```\nls\n```\n"))
expect("a block inside of a tab", "does not say its language", **page('=== "A"\n\n    ```\n    ls\n    ```\n'))
expect("C++ of no kind", "must say what this C++ is", **page("```cpp\nint a;\n```\n"))
expect("a program", "", **page("```cpp\nint main() {}\n```\n"))
expect("a kind that is misspelt", "no block is 'file here'", **page("<!-- file here -->\n```cpp\nint main() {}\n```\n"))
expect("a body", "", **page("<!-- body -->\n\n```cpp\nint a;\n```\n"))
expect("a comment that belongs to another block", "must say what", **page("<!-- body -->\nText.\n```cpp\nint a;\n```\n"))
expect("a file's text", "", **page("<!-- from examples/e.cpp -->\n```cpp\nint b;\n```\n"))
expect("an old text of a file", "does not have this text", **page("<!-- from examples/e.cpp -->\n```cpp\nint c;\n```\n"))
expect("a code without a row", "no row of TG102", include__tg__dsl__codes_dot_hpp=CODES.replace("});", '    {102, "two", "a", "b"},\n});'))
expect("a README that is too long", "more than 150", README_dot_md=README + "\n" * 150)
expect("a line that is too long", "141 columns", **page("a" * 141 + "\n"))

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    project(root)
    reached = check.coverage_complaints(root, {"words": 100.0, "all": 100.0})
    project(root, include__tg__dsl__v_dot_hpp="namespace tg {\nint silent();\nnamespace detail { int hidden(); }\n}\n")
    missed = check.coverage_complaints(root, {"words": 100.0, "all": 60.0})
    project(root, include__tg__dsl__v_dot_hpp="namespace tg::ptx {\nint silent();\n}\n")
    fewer = check.coverage_complaints(root, {"words": 100.0, "all": 99.0})
if reached or len(missed) != 1 or "tg::silent has no comment" not in missed[0]:
    found_wrong.append(f"words without a comment: {reached}, {missed}")
if not any("less than 99.0 %" in complaint for complaint in fewer):
    found_wrong.append(f"too few comments: {fewer}")

# How declarations are read.
READ = {
    "/// c\ntemplate <class T, class U = void> requires (sizeof(T) > 1) auto f(T x = {}) -> int { return {1}; }": ("function", "f", "c"),
    "/// c\ntemplate <class T = int> struct s : base<T> { int a; };": ("class", "s", "c"),
    "template <class T>\nconcept c = requires(T t) { t.x; };": ("concept", "c", ""),
    "inline constexpr int n{3};  ///< three": ("variable", "n", "three"),
    "inline constexpr auto g = [](auto x) { return x; };": ("variable", "g", ""),
    "/// c\nenum class e : char { a, b };": ("enum", "e", "c"),
    "template <class A, class B> using u = typename v<A, B>::type;": ("alias", "u", ""),
    "TG_COLD [[noreturn]] inline void fail(const char* why) { throw why; }": ("function", "fail", ""),
    "/// c\nfriend_of<int> make();": ("function", "make", "c"),
}
for text, wanted in READ.items():
    got = [(d.kind, d.name, d.comment) for d in declarations.declarations_in(f"namespace tg {{\n\n{text}\nint after;\n\n}}\n")]
    if got != [wanted, ("variable", "after", "")]:
        found_wrong.append(f"{text!r} is read as {got}")
for text in ("template <> struct s<int> {};", "namespace detail { int a; }", "static_assert(1 < 2);", "// int a;",
             "#define A \\\n  int a;"):
    if got := declarations.declarations_in(f"namespace tg {{\n{text}\n}}\n"):
        found_wrong.append(f"{text!r} is read as {got}")
both = declarations.declarations_in("namespace tg {\nclass k {\n public:\n  /// c\n  int f() const;\n private:\n  int g();\n};\n}\n")
if [m.name for m in both[0].members] != ["f"]:
    found_wrong.append(f"members: {both}")

if markdown.slug("What `tg::let` & co. mean") != "what-tglet-co-mean":
    found_wrong.append(f"anchors: {markdown.slug('What `tg::let` & co. mean')}")
recipe = cookbook.parts("// T\n// More.\n#include <a>\nint main() {}\n// Prints:\n// 4 \n")
if recipe != ("T", "More.", "#include <a>\nint main() {}\n", "4 \n"):
    found_wrong.append("a recipe is read wrongly")

# Code with a bar in a table.
bars = build_site.row_for_site(r"| `a` x \| y `b`, `a \|\| b<c>` | a\<b> |")
if bars != r"| `a` x \| y `b`, <code>a &#124;&#124; b&lt;c&gt;</code> | a&lt;b> |":
    found_wrong.append(f"bars and tags in a table: {bars}")
if error_pages.rows("| TG101 | a \\<b> | c | d |\n") != {"TG101": ("a &lt;b>", "c", "d")}:
    found_wrong.append("a row of the table of errors is read wrongly")

# How programs with errors are read.
row = ('template <class Body> void record(Body body) { (void)go(body); }\n    {"a call", 501, "TG501: one "\n     "two",\n     [&] {\n'
       '       record([] { f(); });\n     }},\n')
if error_pages.misuses(row) != {"TG501": [("a call", "// record(body) is go(body);\nrecord([] { f(); });", "TG501: one two")]}:
    found_wrong.append(f"a row of misuse.cpp: {error_pages.misuses(row)}")
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "TG300_a.ptx"
    path.write_text("// One\n// two.\n// launch: block 2; right: block 1\n// expect: TG300: a\n// expect: b\nx\n"
                    "#ifdef TG_WRONG\n y\n#else\n z\n#endif\n")
    read = error_pages.program(path)
    shown = "\n".join(error_pages.faults([path]))
if read != ("One two.", "x\n y", "z", {"launch": ["block 2; right: block 1"], "expect": ["TG300: a", "b"]}):
    found_wrong.append(f"a program with an error: {read}")
if "TG300: a b" not in shown or "It is launched with: block 2." not in shown:
    found_wrong.append(f"the page of a program with an error: {shown}")
if error_pages.kernel("__global__ void a(int* p) {\n  if (p) { f(); }\n}\n", "a") != "__global__ void a(int* p) {\n  if (p) { f(); }\n}":
    found_wrong.append("a kernel is read wrongly")
if error_pages.without_page("".join(f"| TG{n} | a | b | c |\n" for n in (101, 313, 416, 431, 528, 999))) != ["TG999"]:
    found_wrong.append("a code without a program")

print("\n".join(found_wrong) or "each fault is found")
sys.exit(bool(found_wrong))
