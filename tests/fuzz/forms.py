#!/usr/bin/env python3
"""Random mutations of the PTX of the tests: ptxas and the emulator must agree on what they accept and refuse.

A text is a kernel of a few statements from one of the files, one of them mutated. ptxas is asked about many kernels in one
module; what it says of a text that the two disagree on, it is asked again of that text alone. Differences that are meant
are listed with their reasons in forms_listed.txt. What is found is written to the folder of findings.
Exit status: 0 where they agree, 1 where not, 77 where there is no ptxas.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
FOLDERS = ("ptx/data", "programs/ptx", "emulator", "fuzz/corpus/load")
TARGETS = (("9.0", "sm_90"), ("9.0", "sm_90"), ("9.0", "sm_90"), ("9.0", "sm_90a"), ("8.6", "sm_80"), ("7.0", "sm_80"), ("7.8", "sm_90"), ("6.5", "sm_75"))
BATCH = 32
TYPES = "pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 tf32 e4m3x2".split()
MODIFIERS = ("rn rz rm rp rni rzi ftz sat relu approx full wide lo hi cc uni sync aligned cta gpu sys global shared local const param generic "
             "volatile relaxed acquire release weak v2 v4 nc ca cg cs eq ne lt le gt ge ltu nan num and or xor add min max inc dec cas exch "
             "to clamp wrap l r up down bfly idx all any ballot satfinite noftz NaN L1 L2").split()
DECLARED = (".reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>; "
            ".reg .v4 .f32 xv; .reg .v2 .u32 xw;")
VARIABLES = ".global .align 16 .b32 xg[64];\n.shared .align 16 .b32 xs[64];\n.const .align 16 .b32 xc[16];\n"
VALUES = ("%p1 !%p2 %rs1 %rs2 %r1 %r2 %r3 %rd1 %rd2 %f1 %f2 %fd1 xv.x xw.y xv xw xg xs xc xg+4 xg[1] xs[%r1] _ 0 1 -1 31 65536 0x7fffffff "
          "4294967296 1.5 0f3f800000 0d3ff0000000000000 %tid.x %tid %ntid.y %laneid %clock64 WARP_SZ %r1+1 %f1+1 -%r1 ~1 !1 1+2 (1<<3) "
          "[%rd1] [%rd2+8] [%r1] [xg] [xg+4] [xs] [xc] [0] [xarg] {%r1,%r2} {%f1,%f2} {%r1,%r2,%r3,%r4} {%rd1,%rd2} {%rs1,%rs2} {_,%r2} %r1|%p1 %p1|%p2").split()
DECLARATIONS = (".reg .b32 y;", ".reg .v2 .b32 y;", ".reg .f32 y<4>;", ".local .align 8 .b8 y[16];", ".shared .b32 y[8];", ".param .b32 y;",
                ".param .align 8 .b8 y[24];", ".global .u32 y = 5;", ".const .f32 y[2] = {1.0, 2.0};", ".local .v4 .f32 y[2];")


def find_ptxas():
    named = os.environ.get("TG_PTXAS")
    return named if named is not None else shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")


def statements_of(text):
    """The instructions of a file, on their own, without labels and directives."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    found = (re.sub(r"\s+", " ", s).strip() for s in re.split(r"[;{}]\s*\n|;", text))
    return [re.sub(r"^[$\w]+:\s*", "", s) + ";" for s in found if re.match(r"^([$\w]+:\s*)?(@!?%?\w+ )?[a-z]\w*[. ]", s) and "(" not in s and len(s) < 160]


def load_corpus():
    lines = set()
    for folder in FOLDERS:
        for path in sorted((HERE.parent / folder).rglob("*.ptx")):
            lines.update(statements_of(path.read_text(errors="replace")))
    return sorted(lines)


def rename(statement, rng):
    """Registers become those that are declared, by their prefix; names become one of the variables."""
    prefixes = {"%p": "%p", "%rs": "%rs", "%h": "%rs", "%r": "%r", "%rd": "%rd", "%rl": "%rd", "%f": "%f", "%fd": "%fd"}
    statement = re.sub(r"(%[a-z]+)(\d+)", lambda m: prefixes.get(m[1], "%r") + str(int(m[2]) % 8), statement)
    variable = "xs" if ".shared" in statement else "xc" if ".const" in statement else "xarg" if ".param" in statement else "xg"
    statement = re.sub(r"\[[$A-Za-z_][\w$]*", lambda m: "[" + variable, statement)
    return re.sub(r"^(@!?)[A-Za-z]\w*", r"\1%p1", statement)


def split_operands(text):
    parts, depth, now = [], 0, ""
    for c in text:
        depth += (c in "[{(") - (c in "]})")
        if c == "," and depth == 0:
            parts.append(now.strip())
            now = ""
        else:
            now += c
    return parts + [now.strip()] if now.strip() else parts


def mutate_instruction(statement, opcodes, rng):
    m = re.match(r"^(@!?\S+ )?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*);$", statement)
    if m is None:
        return statement
    guard, opcode, modifiers, operands = m[1] or "", m[2], [x for x in re.findall(r"\.([\w:]+)", m[3])], split_operands(m[4])
    for _ in range(rng.choice((1, 1, 1, 2))):
        how = rng.random()
        if how < 0.22 and modifiers:
            at = rng.randrange(len(modifiers))
            modifiers[at] = rng.choice(TYPES if modifiers[at] in TYPES and rng.random() < 0.8 else MODIFIERS)
        elif how < 0.28 and modifiers:
            del modifiers[rng.randrange(len(modifiers))]
        elif how < 0.36:
            modifiers.insert(rng.randint(0, len(modifiers)), rng.choice(MODIFIERS))
        elif how < 0.40 and len(modifiers) > 1:
            rng.shuffle(modifiers)
        elif how < 0.72 and operands:
            at = rng.randrange(len(operands))
            alike = [v for v in VALUES if v[:2] == operands[at][:2]]
            operands[at] = rng.choice(alike if alike and rng.random() < 0.5 else VALUES)
        elif how < 0.77 and operands:
            del operands[rng.randrange(len(operands))]
        elif how < 0.82:
            operands.insert(rng.randint(0, len(operands)), rng.choice(VALUES))
        elif how < 0.86 and len(operands) > 1:
            rng.shuffle(operands)
        elif how < 0.93:
            opcode = rng.choice(opcodes)
        elif how < 0.96:
            guard = rng.choice(("", "@%p1 ", "@!%p2 ", "@%r1 "))
        elif operands:
            at = rng.randrange(len(operands))
            operands[at] = rng.choice(("-", "!", "", "~")) + operands[at] + rng.choice(("", "+4", "-4", ".x", ".b0", "[0]", "|%p1"))
    return guard + ".".join([opcode] + modifiers) + (" " + ", ".join(operands) if operands else "") + ";"


def mutate_declaration(rng):
    text = rng.choice(DECLARATIONS)
    how = rng.random()
    if how < 0.4:
        text = re.sub(r"\.(b|u|f)(8|32)\b", "." + rng.choice(TYPES), text)
    elif how < 0.6:
        text = re.sub(r"^\.\w+", "." + rng.choice("reg local shared param global const".split()), text)
    elif how < 0.8:
        text = re.sub(r"y(\[\d+\]|<\d+>)?", "y" + rng.choice(("", "[]", "[0]", "[3]", "[2][2]", "[][2]", "<3>", "[1+1]", "[-1]")), text)
    elif how < 0.9:
        text = re.sub(r" \.", rng.choice((" .align 16 .", " .align 3 .", " .v2 .", " .v4 .", " .v8 .", " .volatile .")), text, count=1)
    else:
        text = re.sub(r"( =.*)?;", rng.choice((" = 5;", " = {1, 2};", " = 1.0;", " = xg;", " = {xg, 1};", ", z;")), text)
    return text


def kernel(corpus, opcodes, rng):
    """The inside of a kernel: statements of which one is mutated."""
    how = rng.random()
    if how < 0.08:
        return mutate_declaration(rng)
    statement = rename(rng.choice(corpus), rng)
    return statement if how < 0.2 else mutate_instruction(statement, opcodes, rng)


def module(header, inside):
    """One text, and the line that each kernel stands on."""
    version, target = header
    lines = [f".version {version}", f".target {target}", ".address_size 64"] + VARIABLES.splitlines()
    where = {}
    for number, body in inside:
        where[len(lines) + 1] = number
        lines.append(f".visible .entry k{number}(.param .u64 xarg) {{ {DECLARED} {body} ret; }}")
    return "\n".join(lines) + "\n", where


class Ptxas:
    def __init__(self, path, folder):
        self.path, self.file, self.runs = path, pathlib.Path(folder, "k.ptx"), 0

    def assemble(self, text, target):
        """Returns: accepted, refused or crash; and the errors, each with its line or 0."""
        self.file.write_text(text)
        self.runs += 1
        ran = subprocess.run([self.path, "-O0", f"-arch={'sm_90' if target != 'sm_90a' else target}", self.file, "-o", "/dev/null"],
                             capture_output=True, text=True, errors="replace", timeout=120)
        errors = []
        for line in (ran.stdout + ran.stderr).splitlines():
            m = re.search(r"(?:, line (\d+); )?\s*(error|fatal)\s*: (.*)", line)
            if m and "aborted due to errors" not in line:
                errors.append((int(m[1] or 0), m[3], m[2]))
        return "accepted" if ran.returncode == 0 else "refused" if ran.returncode in (1, 255) else "crash", errors

    def judge(self, header, kernels):
        """Of each kernel why it is refused, or None."""
        verdicts, left = {}, list(enumerate(kernels))
        while left:
            text, where = module(header, left)
            how, errors = self.assemble(text, header[1])
            if how == "accepted":
                verdicts.update((number, None) for number, _ in left)
                break
            named = {where[line]: message for line, message, _ in errors if line in where}
            if not named:
                for number, body in left:
                    how, errors = self.assemble(module(header, [(number, body)])[0], header[1])
                    verdicts[number] = None if how == "accepted" else (errors[0][1] if errors else "") if how == "refused" else "crash"
                break
            verdicts.update(named)
            left = [(number, body) for number, body in left if number not in named]
        return [verdicts[number] for number in range(len(kernels))]


class Emulator:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def judge(self, text):
        data = text.encode()
        self.process.stdin.write(f"{len(data)}\n".encode() + data)
        line = self.process.stdout.readline().decode(errors="replace").strip()
        if not line:
            raise RuntimeError(f"the emulator ended at\n{text}")
        return None if line == "ok" else line


def read_listed(path):
    """Rows of `who accepts | what the other says | the statement | why`; the middle two are regular expressions."""
    rows = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            who, says, statement, why = (part.strip() for part in line.split(" | "))
            rows.append((who, re.compile(says), re.compile(statement), why))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("judge", help="the program fuzz_forms")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--texts", type=int, default=1 << 60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--found", type=pathlib.Path, default=None, help="folder for what is found")
    parser.add_argument("--listed", type=pathlib.Path, default=HERE / "forms_listed.txt")
    options = parser.parse_args()
    path = find_ptxas()
    if not path:
        print("ptxas is not there: skipped")
        return 77
    seed = options.seed if options.seed is not None else time.time_ns() % (1 << 32)
    rng, corpus, listed = random.Random(seed), load_corpus(), read_listed(options.listed)
    opcodes = sorted({re.match(r"^(?:@!?\S+ )?([a-z]\w*)", s)[1] for s in corpus})
    count = {"accepted": 0, "refused": 0, "crash": 0}
    reasons, findings, start = {}, [], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        ptxas, emulator = Ptxas(path, folder), Emulator(options.judge)
        done = 0
        while done < options.texts and time.monotonic() - start < options.seconds:
            header = rng.choice(TARGETS)
            kernels = [kernel(corpus, opcodes, rng) for _ in range(min(BATCH, options.texts - done))]
            done += len(kernels)
            for body, theirs in zip(kernels, ptxas.judge(header, kernels)):
                text = module(header, [(0, body)])[0]
                ours = emulator.judge(text)
                if theirs != "crash" and (ours is None) == (theirs is None):
                    count["accepted" if ours is None else "refused"] += 1
                    continue
                how, errors = ptxas.assemble(text, header[1])
                if how == "crash":
                    count["crash"] += 1
                    continue
                if (how == "accepted") == (ours is None):
                    count["accepted" if ours is None else "refused"] += 1
                    continue
                who, says = ("ptxas", ours) if how == "accepted" else ("tg", errors[0][1] if errors else "")
                why = next((r[3] for r in listed if r[0] == who and r[1].search(says) and r[2].search(body)), None)
                if why is not None:
                    reasons[why] = reasons.get(why, 0) + 1
                    continue
                findings.append((who, says, body))
                print(f"{who} accepts `{body}` for {' '.join(header)}; the other says: {says}", flush=True)
                if options.found is not None:
                    options.found.mkdir(parents=True, exist_ok=True)
                    (options.found / f"forms-{seed}-{len(findings)}.ptx").write_text(text)
        print(f"seed {seed}: {done} texts in {time.monotonic() - start:.0f} s, ptxas ran {ptxas.runs} times: {count['accepted']} accepted and "
              f"{count['refused']} refused by both, {count['crash']} crashed ptxas, {sum(reasons.values())} differ as listed, {len(findings)} differ")
    for why, number in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"  {number:6} {why}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
