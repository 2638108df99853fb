"""How many lines say what an expression of arrays says, and how many kernels they launch: ours (bench/lines/arrays.cpp, on the
emulator) beside CuPy's text (run by NumPy) and PyTorch's (on the CPU). What the three give is compared. An operation of CuPy or
PyTorch counts as one kernel, where it is one function of the library; views count nothing.

Needs numpy and torch: pip install numpy torch. A text whose library is missing is left out, with a line that says so."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

from report import Report

try:
    import numpy
except ImportError:
    print("no numpy: nothing can be compared (pip install numpy torch)")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = {"tg": "arrays.cpp", "CuPy": "cupy.py", "PyTorch": "pytorch.py"}
NUMBERS = {"beta1": 0.9, "beta2": 0.999, "rate": 0.01, "fix1": 10, "fix2": 1000}


def lines_of(path):
    """Lines between each name and its `keep`."""
    counts, name = {}, None
    for line in path.read_text().splitlines():
        line = line.strip()
        begin = re.fullmatch(r"(?://|#) ([a-z_]+)", line)
        if begin:
            name = begin[1]
            counts[name] = 0
        elif line.startswith("keep("):
            name = None
        elif name and line:
            counts[name] += 1
    return counts


def inputs():
    random = numpy.random.default_rng(1)

    def some(*shape):
        return random.uniform(-1, 1, shape).astype(numpy.float32)

    return {"x": some(64, 48), "z": some(64, 48), "across": some(48, 64), "square": some(48, 48), "w": some(48), "b": some(48), "of_row": some(64)}


class Keeper:
    """Collects the results and the launches of each expression."""

    def __init__(self, to_numpy):
        self.results, self.launches, self.count, self.to_numpy = {}, {}, 0, to_numpy

    def __call__(self, name, *results):
        self.launches[name], self.count = self.count, 0
        self.results[name] = [numpy.array(self.to_numpy(r)) for r in results]
        self.count = 0


class Counted(numpy.ndarray):
    """An array whose operations are counted, each once, however many others it is made of."""

    keeper = None
    depth = 0

    @classmethod
    @contextlib.contextmanager
    def operation(cls):
        cls.keeper.count += cls.depth == 0
        cls.depth += 1
        try:
            yield
        finally:
            cls.depth -= 1

    def __array_ufunc__(self, ufunc, method, *arrays, **options):
        with self.operation():
            plain = [a.view(numpy.ndarray) if isinstance(a, Counted) else a for a in arrays]
            return numpy.asarray(getattr(ufunc, method)(*plain, **options)).view(Counted)

    def __array_function__(self, function, types, arguments, options):
        with self.operation():
            return numpy.asarray(super().__array_function__(function, types, arguments, options)).view(Counted)


def counted_method(name):
    def method(self, *arguments, **options):
        with self.operation():
            return numpy.asarray(getattr(self.view(numpy.ndarray), name)(*arguments, **options)).view(Counted)

    return method


for reduction in ("sum", "max", "mean", "var", "argmax"):
    setattr(Counted, reduction, counted_method(reduction))


def run_cupy(arrays):
    keep = Counted.keeper = Keeper(lambda result: result.view(numpy.ndarray))
    given = {name: a.view(Counted) for name, a in arrays.items()}
    given |= NUMBERS | {"cp": numpy, "keep": keep, "weights": given["z"], "m": given["x"] * 0.1, "v": given["x"] * given["x"]}
    given = {name: g.astype(numpy.float32) if isinstance(g, Counted) else g for name, g in given.items()}
    keep.count = 0
    exec(compile((ROOT / "bench/lines/cupy.py").read_text(), "cupy.py", "exec"), given)  # pylint: disable=exec-used
    return keep


def run_pytorch(arrays):
    try:
        import torch  # pylint: disable=import-outside-toplevel
        from torch.utils._python_dispatch import TorchDispatchMode  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    keep = Keeper(lambda result: result.numpy())

    class Operations(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            returns = func._schema.returns  # pylint: disable=protected-access
            is_view = any(r.alias_info is not None and not r.alias_info.is_write for r in returns)
            keep.count += not is_view
            return func(*args, **(kwargs or {}))

    given = {name: torch.from_numpy(a.copy()) for name, a in arrays.items()}
    given |= NUMBERS | {"torch": torch, "F": torch.nn.functional, "keep": keep}
    given |= {"weights": given["z"].clone(), "m": given["x"] * 0.1, "v": given["x"] * given["x"]}
    with torch.no_grad(), Operations():
        exec(compile((ROOT / "bench/lines/pytorch.py").read_text(), "pytorch.py", "exec"), given)  # pylint: disable=exec-used
    return keep


def run_ours(arrays):
    build = ROOT / "build" / "gcc"
    subprocess.run(["cmake", "--build", build, "--target", "lines_of_arrays"], check=True, stdout=subprocess.DEVNULL)
    keep = Keeper(None)
    with tempfile.TemporaryDirectory() as folder:
        for name, a in arrays.items():
            numpy.save(f"{folder}/{name}.npy", a)
        ran = subprocess.run([build / "bench" / "lines_of_arrays", folder, folder], check=True, stdout=subprocess.PIPE)
        for line in ran.stdout.decode().splitlines():
            name, count = line.split("\t")
            keep.launches[name] = int(count)
            found = sorted(pathlib.Path(folder).glob(f"{name}.[0-9].npy"))
            keep.results[name] = [numpy.load(path) for path in found]
    return keep


def main():
    arrays = inputs()
    lines = {system: lines_of(ROOT / "bench" / "lines" / file) for system, file in TEXTS.items()}
    ours = run_ours(arrays)
    report = Report("lines")
    for system, other in (("CuPy", run_cupy(arrays)), ("PyTorch", run_pytorch(arrays))):
        if other is None:
            print("no torch: PyTorch's lines are left out (pip install torch)")
            continue
        if not ours.results.keys() == other.results.keys() == lines["tg"].keys() == lines[system].keys():
            raise SystemExit(f"{system} has not the expressions that arrays.cpp has")
        for name, results in ours.results.items():
            for own, its in zip(results, other.results[name], strict=True):
                if own.shape != its.shape or not numpy.allclose(own, its, rtol=2e-5, atol=2e-5):
                    raise SystemExit(f"{name}: {system} gives something else than arrays.cpp")
            report.add(f"{name} launches", ours.launches[name], other.launches[name], system, "kernels")
        for what, own, its in (("lines", lines["tg"], lines[system]), ("launches", ours.launches, other.launches)):
            report.add(f"all expressions {what}", sum(own.values()), sum(its.values()), system, what)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
