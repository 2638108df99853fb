"""Dr.Jit's CUDA backend: traced arithmetic, loops, calls, reductions, scatter, half and double, derivatives."""
import drjit as dr
import numpy as np
from drjit.cuda import Array3f, Bool, Float, Float16, Float64, Int32, PCG32, UInt32, UInt64
from drjit.cuda.ad import Float as FloatD

from parts import Parts

part = Parts()
rng = np.random.default_rng(7)


def close(ours, theirs, relative=1e-5):
    np.testing.assert_allclose(np.array(ours), theirs, rtol=relative, atol=relative)


@part
def the_backend_is_there():
    assert dr.has_backend(dr.JitBackend.CUDA)


@part
def arithmetic():
    x = rng.random(1000, dtype=np.float32) + 0.5
    v = Float(x)
    close(dr.fma(v, 2, 1) / dr.sqrt(v) - dr.rcp(v), (x * 2 + 1) / np.sqrt(x) - 1 / x)


@part
def elementary_functions():
    x = rng.random(999, dtype=np.float32) * 4 + 0.1
    for ours, theirs in [(dr.sin, np.sin), (dr.cos, np.cos), (dr.exp, np.exp), (dr.log, np.log), (dr.tanh, np.tanh),
                         (dr.atan, np.arctan), (dr.cbrt, np.cbrt)]:
        close(ours(Float(x)), theirs(x), 3e-5)


@part
def integers():
    a = rng.integers(1, 1 << 30, 777, dtype=np.uint32)
    b = rng.integers(1, 1000, 777, dtype=np.uint32)
    u, v = UInt32(a), UInt32(b)
    close(u // v, a // b)
    close(u % v, a % b)
    close((u ^ v) & 0xFFFF, (a ^ b) & 0xFFFF)
    close(dr.popcnt(u), [bin(int(n)).count("1") for n in a])
    close(dr.mul_hi(u, u), (a.astype(np.uint64) ** 2) >> 32)


@part
def half_and_double():
    x = rng.random(500)
    close(Float64(x) * 3 + dr.sqrt(Float64(x)), x * 3 + np.sqrt(x), 1e-14)
    close(Float16(x.astype(np.float16)) + Float16(1), x + 1, 2e-3)


@part
def gather_and_scatter():
    x = rng.random(300, dtype=np.float32)
    index = rng.permutation(300).astype(np.uint32)
    close(dr.gather(Float, Float(x), UInt32(index)), x[index])
    to = dr.zeros(Float, 300)
    dr.scatter(to, Float(x), UInt32(index))
    expected = np.zeros(300, np.float32)
    expected[index] = x
    close(to, expected)


@part
def scatter_add():
    bins = rng.integers(0, 16, 5000).astype(np.uint32)
    to = dr.zeros(UInt32, 16)
    dr.scatter_add(to, UInt32(1), UInt32(bins))
    close(to, np.bincount(bins, minlength=16))
    weights = dr.zeros(Float, 16)
    dr.scatter_reduce(dr.ReduceOp.Add, weights, dr.full(Float, 0.5, 5000), UInt32(bins))
    close(weights, 0.5 * np.bincount(bins, minlength=16))


@part
def reductions():
    x = rng.random(10007, dtype=np.float32)
    close(dr.sum(Float(x)), [x.sum(dtype=np.float64)], 1e-4)
    close(dr.max(Float(x)), [x.max()])
    close(dr.min(Float(x)), [x.min()])
    assert dr.all(Float(x) >= 0) and not dr.any(Float(x) > 1)
    assert dr.count(Bool(x > 0.5)) == np.count_nonzero(x > 0.5)


@part
def prefix_sums():
    x = rng.integers(0, 9, 5000, dtype=np.uint32)
    close(dr.cumsum(UInt32(x)), np.cumsum(x))
    close(dr.prefix_sum(UInt32(x)), np.cumsum(x) - x)


@part
def block_reductions():
    x = rng.random(4096, dtype=np.float32)
    close(dr.block_sum(Float(x), 64), x.reshape(-1, 64).sum(1), 1e-4)


@part
def compression():
    x = rng.random(3000, dtype=np.float32)
    close(dr.compress(Bool(x < 0.3)), np.flatnonzero(x < 0.3))


@part
def symbolic_loops():
    @dr.syntax
    def collatz(n: UInt32):
        steps = UInt32(0)
        while n != 1:
            n = dr.select(n & 1 == 0, n // 2, 3 * n + 1)
            steps += 1
        return steps

    def reference(n):
        steps = 0
        while n != 1:
            n, steps = n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1
        return steps

    close(collatz(dr.arange(UInt32, 500) + 1), [reference(n + 1) for n in range(500)])


@part
def branches_and_calls():
    def double(x):
        return x * 2

    def square(x):
        return x * x

    x = rng.random(600, dtype=np.float32)
    which = rng.integers(0, 2, 600).astype(np.uint32)
    close(dr.switch(UInt32(which), [double, square], Float(x)), np.where(which == 0, x * 2, x * x))


@part
def random_numbers():
    source = PCG32(size=2000)
    x = np.array(source.next_float32())
    assert 0 <= x.min() and x.max() < 1 and abs(x.mean() - 0.5) < 0.03
    estimate = 4 * np.mean(np.hypot(x, np.array(source.next_float32())) < 1)
    assert abs(estimate - np.pi) < 0.15


@part
def vectors():
    x = rng.random((3, 400), dtype=np.float32)
    v = dr.normalize(Array3f(x))
    close(dr.norm(v), np.ones(400))


@part
def derivatives():
    x = FloatD(rng.random(64, dtype=np.float32) + 0.1)
    dr.enable_grad(x)
    dr.backward(dr.sum(dr.sin(x) * x))
    n = np.array(dr.detach(x))
    close(dr.grad(x), np.cos(n) * n + np.sin(n), 1e-4)


@part
def sixty_four_bits():
    a = rng.integers(0, 1 << 60, 300, dtype=np.uint64)
    close(UInt64(a) * UInt64(3) >> UInt64(7), (a * 3) >> 7)
    close(Int32(UInt32(a.astype(np.uint32))) // 3 * 0, np.zeros(300))


@part
def a_kernel_is_used_again():
    for size in [1, 31, 1024, 4097]:
        x = dr.arange(Float, size)
        close(x * x + 1, np.arange(size, dtype=np.float32) ** 2 + 1)


part.run()
