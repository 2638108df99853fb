"""Headers of the library, precompiled for programs that tests compile one by one."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r"^#include <(.+)>$", re.MULTILINE)


class Headers:
    """The flags that bring a precompiled header to a program that includes it.

    A program is compiled as if the header were its first include, so use it where another test compiles the header alone.
    ccache keeps objects of such programs when CCACHE_SLOPPINESS has pch_defines and time_macros.
    """

    def __init__(self, compiler, flags, folder):
        """`compiler`: a command as a list. `flags`: those of the programs. `folder`: where the precompiled headers go."""
        self.compiler, self.flags, self.folder = compiler, flags, pathlib.Path(folder)
        self.ready = {}
        self.is_clang = "clang" in compiler[-1]

    def add(self, name):
        """Precompiles `name`, a header as programs write it; returns what the compiler complains of, or None."""
        self.folder.mkdir(parents=True, exist_ok=True)
        header = self.folder / name.replace("/", "_")
        source = next(path for path in (ROOT / "include" / name, ROOT / name) if path.exists())
        out = f"{header}.pch" if self.is_clang else f"{header}.gch"
        if not self.is_clang:  # so that messages name as many files on the way to a header as without it
            header.write_text(f"#include <{name}>\n")
            source = header
        own = ["-Xclang", "-fno-pch-timestamp"] if self.is_clang else []
        done = subprocess.run([*self.compiler, *self.flags, *own, "-x", "c++-header", str(source), "-o", out],
                              capture_output=True, text=True, errors="replace")
        if done.returncode:
            return done.stderr
        self.ready[name] = [*own, "-include-pch", out] if self.is_clang else ["-include", str(header)]
        return None

    def flags_for(self, text):
        """The flags for a program with this text: those of the first of its includes that is precompiled."""
        return next((self.ready[name] for name in INCLUDE.findall(text) if name in self.ready), [])
