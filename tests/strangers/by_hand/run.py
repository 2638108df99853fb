#!/usr/bin/env python3
"""A stranger without CMake: the README's first program, and the commands that the README prints for it, in an empty folder.

Without optimisation, which is sooner done. The program must say what it computed. Linked without the library, the linker must
say which line is missing. As one source file with <tg/gpu_library.hpp> in it, it must say on a machine without a GPU what
brings the emulator. A program with arrays needs <tg/array_library.hpp>, and is told so.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXPECTED = [  # of each command what it is here; the README may change the rest
    r"g\+\+ .*-c tg\.cpp",
    r"g\+\+ .* tg\.o main\.cpp .*-o first",
]
NOTE = r"tg: no GPU can be used \(no-such-libcuda\.so.*\): kernels run on the emulator; TG_DEVICE=emulator asks for it\n"
MARK = "include_tg_library_hpp_in_one_source_file"
ARRAY_MARK = "include_tg_array_library_hpp_in_one_source_file"
ARRAYS = """#include <cstdio>
#include <vector>
#include <tg/array.hpp>
#include <tg/tg.hpp>

int main() {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, {3}, std::vector<float>{1, 2, 3});
  const tg::array<float, 1> y = x * 2.0f + 2.0f;
  std::printf("2 * 1 + 2 = %g on the array\\n", y.to_host()[0]);
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    readme = (ROOT / "README.md").read_text()
    program = re.search(r"```cpp\n(#include <cstdio>.*?)```", readme, re.DOTALL)[1]
    commands = re.findall(r"^(g\+\+ .*?)(?: +#.*)?$", readme, re.MULTILINE)
    if len(commands) != len(EXPECTED) or not all(map(re.fullmatch, EXPECTED, commands)):
        print(f"the README prints other commands: {commands}")
        return 1
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "main.cpp").write_text(program)
        pathlib.Path(folder, "tg.cpp").write_text("#include <tg/library.hpp>\n")
        pathlib.Path(folder, "one.cpp").write_text(f"{program}\n#include <tg/gpu_library.hpp>\n")
        pathlib.Path(folder, "arrays.cpp").write_text(ARRAYS)
        pathlib.Path(folder, "all_arrays.cpp").write_text(f"{ARRAYS}\n#include <tg/array_library.hpp>\n")
        pathlib.Path(folder, "tg").symlink_to(ROOT)

        def build(command):
            command = command.replace("g++", compiler, 1).replace(" -O2", " -O0")
            return command, subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)

        def must_build(command):
            command, ran = build(command)
            if ran.returncode != 0 or ran.stderr:
                complaints.append(f"{command}: status {ran.returncode}\n{ran.stderr}")

        def run(name, device="emulator"):
            environment = dict(os.environ, TG_DEVICE=device, TG_CACHE_DIR="", TG_LIBCUDA="no-such-libcuda.so")
            if not pathlib.Path(folder, name).exists():
                return subprocess.CompletedProcess([name], 127, "", "not built")
            return subprocess.run([f"./{name}"], cwd=folder, capture_output=True, text=True, env=environment)

        def must_compute(name):
            ran = run(name)
            if ran.returncode != 0 or "2 * 1 + 2 = 4 on" not in ran.stdout:
                complaints.append(f"{name}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")

        library, first = commands
        must_build(library)
        must_build(first)
        must_compute("first")
        if run("first").stderr or not re.fullmatch(NOTE, run("first", device="").stderr):
            complaints.append(f"what it says of the emulator: {run('first').stderr!r}, {run('first', device='').stderr!r}")
        must_build(first.replace("main.cpp", "all_arrays.cpp").replace("-o first", "-o arrays"))
        must_compute("arrays")
        for mark, lacking in ((MARK, first.replace("tg.o ", "")), (ARRAY_MARK, first.replace("main.cpp", "arrays.cpp"))):
            command, ran = build(lacking)
            if ran.returncode == 0 or mark not in ran.stderr.split("undefined reference")[1]:
                complaints.append(f"{command}: status {ran.returncode}\n{ran.stderr}")
        must_build(first.replace("tg.o main.cpp", "one.cpp").replace("-o first", "-o one"))
        ran = run("one")
        if ran.returncode == 0 or "TG574" not in ran.stderr or "#include <tg/library.hpp>" not in ran.stderr:
            complaints.append(f"without the emulator: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    print("\n".join(complaints) or "compiled and run; refused without the library, and without the emulator")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
