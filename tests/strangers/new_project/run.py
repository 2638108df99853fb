#!/usr/bin/env python3
"""A project that `./dev new` writes: it configures with an installed tg, builds without warnings, its test passes and its program runs.
A name or a folder that cannot be taken is refused.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", type=pathlib.Path, required=True, help="where tg is installed")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="what the test may write")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="")
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    given.folder.mkdir(parents=True)
    complaints = []

    def run(*command, cwd=given.folder, **more):
        return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, env=dict(os.environ, **more))

    def must(what, done, text=""):
        if done.returncode or text not in done.stdout:
            complaints.append(f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def must_refuse(what, done, text):
        if done.returncode == 0 or text not in done.stderr:
            complaints.append(f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")

    new = (ROOT / "dev", "new")
    project = given.folder / "mine"
    must("new", run(*new, "mine"), "cmake --preset local")
    must_refuse("a folder that is there", run(*new, "mine"), "is not empty")
    must_refuse("a name that is none", run(*new, "7up"), "cannot be a C++ namespace")
    must_refuse("no tg", run(*new, "other", "--tg", given.folder), "does not have include/tg/tg.hpp")
    if (given.folder / "other").exists() or list(project.rglob("*my_project*")):
        complaints.append("a project was written where there should be none, or names were left out")
    for path in project.rglob("*"):
        if path.is_file() and any(mark in path.read_text() for mark in ("my_project", "path/to/tg")):
            complaints.append(f"{path} has a name that was not replaced")
    if json.loads((project / "CMakeUserPresets.json").read_text())["configurePresets"][0]["cacheVariables"]["TG_FOLDER"] != ROOT.as_posix():
        complaints.append("the preset does not have the folder of tg")
    json.loads((project / ".vscode/tasks.json").read_text())
    options = [f"-DCMAKE_PREFIX_PATH={given.prefix}", f"-DCMAKE_CXX_COMPILER={given.compiler}",
               f"-DCMAKE_CXX_FLAGS={given.flags} -Wall -Wextra -Werror"]
    must("configure", run("cmake", "--preset", "default", *options, cwd=project))
    must("build", run("cmake", "--build", "--preset", "default", cwd=project))
    must("test", run("ctest", "--preset", "default", cwd=project), "100% tests passed")
    must("run", run("build/mine", cwd=project, TG_DEVICE="emulator"), "max(3 * 1 + 2, 0) = 5 on")
    if not (project / "build/compile_commands.json").exists():
        complaints.append("no compile_commands.json")
    print("\n".join(complaints) or "written, built, tested and run; what cannot be is refused")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
