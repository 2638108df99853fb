"""NumPy beside arrays of tg in one process: DLPack both ways, and .npy files."""
import ctypes
import gc
import os
import sys
import tempfile

import numpy as np

from parts import Parts

part = Parts()
rng = np.random.default_rng()
library = ctypes.CDLL(sys.argv[1])
library.doubled.restype, library.doubled.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
library.add_one.argtypes = [ctypes.c_void_p]
library.last_failure.restype = ctypes.c_char_p
python = ctypes.pythonapi
python.PyCapsule_New.restype, python.PyCapsule_New.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor"


def give(array):
    """A tensor that the other side owns."""
    capsule = array.__dlpack__()
    pointer = python.PyCapsule_GetPointer(capsule, b"dltensor")
    python.PyCapsule_SetName(capsule, USED)
    return pointer


class Taken:
    def __init__(self, pointer):
        assert pointer, library.last_failure().decode()
        self.pointer = pointer

    def __dlpack__(self, **_):
        return python.PyCapsule_New(self.pointer, b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


def random(*shape):
    return rng.standard_normal(shape).astype(np.float32)


@part
def an_array_there_and_back():
    x = random(37, 19)
    y = np.from_dlpack(Taken(library.doubled(give(x))))
    assert np.array_equal(y, x * np.float32(2) + np.arange(19, dtype=np.float32))


@part
def slices_and_transposes():
    x = random(40, 60)
    for own in (x[3:30, 5:50], x.T, x[::2, ::3], x[::-1, ::-1]):
        y = np.from_dlpack(Taken(library.doubled(give(own))))
        assert np.array_equal(y, own * np.float32(2) + np.arange(own.shape[1], dtype=np.float32))


@part
def memory_is_shared():
    x = random(16, 16)
    before = x.copy()
    for _ in range(3):
        assert library.add_one(give(x[2:9, 1:14])) == 0, library.last_failure()
    before[2:9, 1:14] += 3
    assert np.allclose(x, before, atol=1e-6)


@part
def owners_are_kept_and_let_go():
    x = random(1000, 1000)
    references = sys.getrefcount(x)
    y = np.from_dlpack(Taken(library.doubled(give(x))))
    assert sys.getrefcount(x) == references
    part_of = y[::7]
    wanted = part_of.copy()
    del y
    gc.collect()
    assert np.array_equal(part_of, wanted)


@part
def refusals_name_both_sides():
    assert not library.doubled(give(np.zeros((3, 4))))
    assert b"TG708" in library.last_failure() and b"float64" in library.last_failure()
    assert not library.doubled(give(np.zeros(5, dtype=np.float32)))
    assert b"rank 1" in library.last_failure()


@part
def files():
    with tempfile.TemporaryDirectory() as folder:
        there, back = (os.path.join(folder, name).encode() for name in ("x.npy", "y.npy"))
        for x in (rng.standard_normal((3, 4, 5)), np.asfortranarray(rng.standard_normal((3, 4, 5))), np.zeros((0, 2, 3))):
            np.save(there.decode(), x)
            assert library.square_file(there, back) == 0, library.last_failure()
            assert np.array_equal(np.load(back.decode()), x * x)


part.run()
