#!/usr/bin/env python3
"""Writes a project that uses tg: CMake, one kernel, its test on the emulator, a workflow for GitHub, tasks for an editor.

new.py NAME [FOLDER] [--tg FOLDER]    FOLDER: where the project goes, ./NAME unless said; --tg: the source of tg, this one unless said
"""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TG = HERE.parents[1]


def write(name, folder, tg):
    """The paths that were written."""
    out = []
    for path in sorted((HERE / "template").rglob("*")):
        if not path.is_file():
            continue
        target = folder / str(path.relative_to(HERE / "template")).replace("my_project", name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(path.read_text().replace("my_project", name).replace("path/to/tg", tg.as_posix()))
        out.append(target)
    return out


def main():
    parser = argparse.ArgumentParser(prog="./dev new", description="Writes a project that uses tg.")
    parser.add_argument("name", metavar="NAME", help="lower-case letters, digits and _; also the C++ namespace")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=pathlib.Path, help="where it goes; ./NAME unless said")
    parser.add_argument("--tg", type=pathlib.Path, default=TG, help="the folder with the source of tg")
    given = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", given.name) or given.name in ("tg", "std", "test"):
        sys.exit(f"dev new: '{given.name}' cannot be a C++ namespace of your own; take lower-case letters, digits and _")
    folder = (given.folder or pathlib.Path(given.name)).resolve()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"dev new: {folder} is not empty")
    tg = given.tg.resolve()
    if not (tg / "include/tg/tg.hpp").exists():
        sys.exit(f"dev new: {tg} does not have include/tg/tg.hpp")
    for path in write(given.name, folder, tg):
        print(path.relative_to(folder))
    print(f"\nin {folder}: cmake --preset local && cmake --build --preset default && ctest --preset default")


if __name__ == "__main__":
    main()
