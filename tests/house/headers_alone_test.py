#!/usr/bin/env python3
"""Shows that headers_alone.py can fail: a header that needs its neighbour is found, and a chain of good ones passes."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("headers_alone.py")

GOOD = {
    "a.hpp": "#pragma once\n#include <string>\ninline std::string a() { return {}; }\n",
    "b.hpp": "#pragma once\n#include <x/a.hpp>\ninline std::string b() { return a(); }\n",
    "c.hpp": "#pragma once\n#include <x/b.hpp>\ninline std::string c() { return b(); }\n",
    "d.hpp": "#pragma once\ninline int d() { return 1; }\n",
}

BODY_OF_D = "#pragma once\nint d();\n"

# A folder of its own, whose second header only the first includes.
ROOM = {
    "room/inner.hpp": "#pragma once\ninline int inner() { return 1; }\n",
    "room/door.hpp": "#pragma once\n#include <x/room/inner.hpp>\ninline int door() { return inner(); }\n",
    "d.hpp": "#pragma once\n#include <x/room/door.hpp>\ninline int d() { return door(); }\n",
}
LACKS = "inline std::string lacks() { return {}; }\n"
IN_ROOM = {"room/inner.hpp": "#pragma once\n" + LACKS, "room/door.hpp": "#pragma once\n#include <string>\n#include <x/room/inner.hpp>\n",
           "d.hpp": "#pragma once\n#include <x/room/door.hpp>\n"}
AT_DOOR = {"room/door.hpp": ROOM["room/door.hpp"] + LACKS, "d.hpp": "#pragma once\n#include <string>\n#include <x/room/door.hpp>\n"}

CASES = {  # name: (what is changed, what is printed), with more words of the command line
    "good": ({}, "4 headers in 2 units, 0 units do not compile"),
    "needs_a_neighbour": ({"d.hpp": "#pragma once\ninline std::string d() { return {}; }\n"}, "x/d.hpp"),
    "needs_one_of_its_chain": ({"b.hpp": "#pragma once\n#include <x/a.hpp>\ninline int b() { return c(); }\n"}, "x/b.hpp"),
    "needs_its_only_includer": (IN_ROOM, "x/room/inner.hpp"),
    "doors": (ROOM, "5 headers in 2 units, 0 units do not compile", "--doors"),
    "door_needs_its_includer": (AT_DOOR, "x/room/door.hpp", "--doors"),
    "not_a_door": (IN_ROOM, "5 headers in 2 units, 0 units do not compile", "--doors"),
    "body": ({"d.hpp": BODY_OF_D, "d.inl": "#pragma once\n#include <x/d.hpp>\n#include <x/a.hpp>\ninline int d() { return static_cast<int>(a().size()); }\n"},
             "5 headers in 2 units, 0 units do not compile"),
    "body_needs_a_neighbour": ({"d.hpp": BODY_OF_D, "d.inl": "#pragma once\n#include <x/d.hpp>\ninline int d() { return b(); }\n"}, "x/d.inl"),
    "no_headers": (dict.fromkeys(GOOD), "0 headers"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    compiler = parser.parse_args().compiler
    failed = 0
    for name, (changes, message, *words) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            below = pathlib.Path(folder, "x")
            (below / "room").mkdir(parents=True)
            for header, text in (GOOD | changes).items():
                if text is not None:
                    (below / header).write_text(text)
            done = subprocess.run([sys.executable, str(CHECK), "--compiler", compiler, "--root", f"{folder}:x",
                                   "--out", f"{folder}/out", *words], capture_output=True, text=True)
        good = message in done.stdout and (done.returncode == 0) == (" 0 units do not compile" in message)
        failed += not good
        print("ok  " if good else "FAIL", name)
        if not good:
            print(done.stdout, done.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
