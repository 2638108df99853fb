#!/usr/bin/env python3
"""A user may call functions of any name that tg uses inside: for each function of a namespace `detail` a user's function of that
name is called, without its namespace, with views, values, tiles, arrays and expressions of them."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"

HEADERS = ["tg/tg.hpp", "tg/array.hpp", "tg/tile.hpp", "tg/array/losses.hpp", "tg/array/matmul.hpp", "tg/array/norms.hpp",
           "tg/array/random.hpp", "tg/array/take.hpp", "tg/dsl/kernel/lower.hpp"]

CALLS = """int main() {
  using namespace tg::literals;
  int n = 0;
  const auto kernel = tg::kernel<"k">(
      tg::block<128>, [&](auto block, tg::in<float> x, tg::out2<float> y, tg::inout<float> z, tg::scalar<unsigned> m) {
    const auto i = tg::let(block.global_index());
    n += user::all(x, i, m) + user::all(z(i), block, y) + user::all(i < m, i + 1u, x(i) * 2.0f);
    const auto shared = tg::shared<float>(tg::shape<8, 33>);
    n += user::all(shared, shared(0_c, i % 32_c), block.thread);
    const auto tile = tg::zeros<float, 64, 32>(block);
    n += user::all(tile, tg::exp(tile) + 1.0f, tg::row_sum(tile));
  });
  (void)tg::lower(kernel);
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 4});
  const auto h = tg::exp(x) + 1.0f;
  n += user::all(x, h, tg::sum<1>(x)) + user::all(tg::f16{}, tg::bf16{}, h) + user::all(gpu, x.shape(), tg::softmax<1>(x));
  return n == 0;
}
"""

# A type and a function of tg::detail beside each other: a call with the type has to be seen as ambiguous.
PLANTED = """namespace tg::detail {
struct planted {};
template <class... A> int planted_word(const A&...) { return 0; }
}
int planted = user::planted_word_of(tg::detail::planted{});
"""


def words():
    """The functions that stand in a namespace `detail` of the headers."""
    out = set()
    for path in sorted(INCLUDE.rglob("*.hpp")):
        inside = []
        for line in path.read_text().splitlines():
            if opened := re.match(r"namespace ([\w:]+) \{", line):
                inside.append(opened[1])
            elif line.startswith("}  // namespace") and inside:
                inside.pop()
            elif inside and any("detail" in name for name in inside) and re.match(r"[a-z]", line):
                line = re.sub(r"^template <[^()]*?> (requires [^()]*? )?", "", line)
                if word := re.match(r"(?:\w+ )*[\w:<>,&*. ]+[ &*]([a-z]\w*)\(", line):
                    out.add(word[1])
    return sorted(out - {"alignas", "decltype", "int", "requires", "sizeof", "static_assert"})


def errors(compiler, text):
    """The lines of `text` that do not compile, and what the compiler printed."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "user.cpp"
        source.write_text(text)
        run = subprocess.run([*compiler, "-std=c++20", f"-I{INCLUDE}", "-fsyntax-only", source], capture_output=True, text=True)
        return {int(n) for n in re.findall(r"user\.cpp:(\d+):\d+: error", run.stderr)}, run.stderr if run.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", nargs="+", default=["g++"])
    compiler = parser.parse_args().compiler
    unlimited = [*compiler, "-fmax-errors=0" if "clang" not in compiler[-1] else "-ferror-limit=0"]
    head = "".join(f"#include <{header}>\n" for header in HEADERS)

    found = words()
    # The words of tg itself are meant to be found.
    lines = [f"using tg::{word};" for word in found]
    hidden, _ = errors(unlimited, head + "\n".join(lines) + "\n")
    inside = [word for n, word in enumerate(found) if n + len(HEADERS) + 1 in hidden]

    functions = "".join(f"template <class... A> int {word}(const A&...) {{ return 1; }}\n" for word in inside)
    calls = "".join(f"  n += {word}(a) + {word}(a, b) + {word}(a, b, c);\n" for word in inside)
    user = (f"{head}namespace user {{\n{functions}template <class A, class B, class C>\n"
            f"int all(const A& a, const B& b, const C& c) {{\n  int n = 0;\n{calls}  return n;\n}}\n}}\n")
    _, complaint = errors(compiler, user + CALLS)

    own = ("namespace user {\ntemplate <class... A> int planted_word(const A&...) { return 1; }\n"
           "template <class A> int planted_word_of(const A& a) { return planted_word(a); }\n}\n")
    _, planted = errors(compiler, head + own + PLANTED)
    if "ambiguous" not in planted:
        complaint += "a call that is ambiguous was not seen\n"
    if len(inside) < 900:
        complaint += f"only {len(inside)} functions were found in namespaces `detail`\n"
    print(complaint or f"ok: {len(inside)} names")
    return complaint != ""


if __name__ == "__main__":
    sys.exit(main())
