"""Taichi on the emulated libcuda: fields, arithmetic of each type, control flow, atomics, shared memory, sparse fields, automatic
derivatives, its own sort and scan. Its package has no tests; these are the basic things that they are about."""
import numpy as np
import taichi as ti

from parts import Parts

part = Parts()
ti.init(arch=ti.cuda, device_memory_GB=0.3, offline_cache=False, random_seed=1, default_fp=ti.f32, log_level=ti.ERROR)
assert ti.cfg.arch == ti.cuda
random = np.random.default_rng(3)


def check(got, wanted, limit=1e-5):
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(wanted, np.float64), rtol=limit, atol=limit)


def each(function, values, dtype=np.float32, limit=1e-5, of=None):
    """Applies a Taichi function to every element of an array."""
    values = np.asarray(values, dtype)
    out = np.zeros_like(values)

    @ti.kernel
    def run(a: ti.types.ndarray(), b: ti.types.ndarray()):
        for i in range(a.shape[0]):
            b[i] = function(a[i])

    run(values, out)
    check(out, of(values), limit)


@part
def fields_and_kernels():
    x = ti.field(ti.f32, shape=(40, 30))

    @ti.kernel
    def fill(a: ti.f32):
        for i, j in x:
            x[i, j] = a * i - j
    fill(2.5)
    i, j = np.meshgrid(np.arange(40), np.arange(30), indexing="ij")
    check(x.to_numpy(), 2.5 * i - j)
    x.fill(3)
    check(x.to_numpy(), np.full((40, 30), 3))
    x.from_numpy((i * j).astype(np.float32))
    assert x[7, 9] == 63


@part
def functions_of_f32():
    values = random.normal(size=500)
    for function, of in [(ti.sin, np.sin), (ti.cos, np.cos), (ti.tanh, np.tanh), (ti.exp, np.exp), (ti.floor, np.floor),
                         (ti.ceil, np.ceil), (ti.abs, np.abs), (ti.round, np.round)]:
        each(function, values, of=of, limit=1e-4)
    each(ti.sqrt, np.abs(values), of=np.sqrt)
    each(ti.log, np.abs(values) + 1, of=np.log)


@part
def functions_of_f64():
    values = np.abs(random.normal(size=300)) + 0.5
    for function, of in [(ti.sqrt, np.sqrt), (ti.exp, np.exp), (ti.log, np.log), (ti.sin, np.sin)]:
        each(function, values, np.float64, 1e-12, of)


@part
def integers_of_each_width():
    # Taichi divides integers of 8 bits wrong on every machine, its own CPU code included.
    for dtype in (np.int16, np.int32, np.int64, np.uint32):
        a, b = (random.integers(1, 100, 200).astype(dtype) for _ in range(2))
        out = np.zeros((200, 5), dtype)

        @ti.kernel
        def run(a: ti.types.ndarray(), b: ti.types.ndarray(), out: ti.types.ndarray()):
            for i in range(200):
                out[i, 0] = a[i] // b[i]
                out[i, 1] = a[i] % b[i]
                out[i, 2] = a[i] & b[i]
                out[i, 3] = a[i] ^ b[i]
                out[i, 4] = a[i] * b[i] - b[i]
        run(a, b, out)
        check(out, np.stack([a // b, a % b, a & b, a ^ b, a * b - b], 1))


@part
def control_flow():
    steps = np.zeros(300, np.int32)

    @ti.kernel
    def collatz(out: ti.types.ndarray()):
        for i in range(300):
            n, count = i + 1, 0
            while n != 1:
                if n % 2 == 0:
                    n //= 2
                else:
                    n = 3 * n + 1
                count += 1
                if count > 1000:
                    break
            out[i] = count
    collatz(steps)

    def reference(n):
        count = 0
        while n != 1:
            n, count = (n // 2 if n % 2 == 0 else 3 * n + 1), count + 1
        return count
    check(steps, [reference(n + 1) for n in range(300)])


@part
def atomics_and_reductions():
    values = random.normal(size=2000).astype(np.float32)
    keys = random.integers(0, 16, 2000).astype(np.int32)
    sums, counts = np.zeros(16, np.float32), np.zeros(16, np.int32)
    ends = np.array([np.inf, -np.inf], np.float32)

    @ti.kernel
    def run(v: ti.types.ndarray(), k: ti.types.ndarray(), s: ti.types.ndarray(), c: ti.types.ndarray(),
            e: ti.types.ndarray()) -> ti.f32:
        total = 0.0
        for i in range(2000):
            ti.atomic_add(s[k[i]], v[i])
            c[k[i]] += 1
            ti.atomic_min(e[0], v[i])
            ti.atomic_max(e[1], v[i])
            total += v[i]
        return total
    total = run(values, keys, sums, counts, ends)
    check(counts, np.bincount(keys, minlength=16))
    check(sums, np.bincount(keys, values, minlength=16), 1e-3)
    check(ends, [values.min(), values.max()])
    check(total, values.sum(), 1e-3)


@part
def vectors_and_matrices():
    out = ti.Vector.field(3, ti.f32, shape=50)
    traces = ti.field(ti.f32, shape=50)

    @ti.kernel
    def run():
        for i in out:
            m = ti.Matrix([[1.0, i, 0.0], [0.0, 2.0, 1.0], [i, 0.0, 3.0]])
            v = ti.Vector([1.0, 2.0, float(i)])
            out[i] = m @ v + v.cross(ti.Vector([0.0, 0.0, 1.0]))
            traces[i] = m.trace() + m.determinant() + v.norm()
    run()
    wanted, scalars = [], []
    for i in range(50):
        m, v = np.array([[1, i, 0], [0, 2, 1], [i, 0, 3]], float), np.array([1, 2, i], float)
        wanted.append(m @ v + np.cross(v, [0, 0, 1]))
        scalars.append(np.trace(m) + np.linalg.det(m) + np.linalg.norm(v))
    check(out.to_numpy(), wanted, 1e-4)
    check(traces.to_numpy(), scalars, 1e-4)


@part
def structs():
    particle = ti.types.struct(place=ti.types.vector(2, ti.f32), mass=ti.f32, alive=ti.i32)
    all_of_them = particle.field(shape=64)

    @ti.kernel
    def run():
        for i in all_of_them:
            all_of_them[i] = particle(place=ti.Vector([float(i), -float(i)]), mass=0.5 * i, alive=i % 2)
            all_of_them[i].place += ti.Vector([1.0, 1.0]) * all_of_them[i].mass
    run()
    i = np.arange(64)
    check(all_of_them.place.to_numpy(), np.stack([i + 0.5 * i, -i + 0.5 * i], 1))
    check(all_of_them.alive.to_numpy(), i % 2)


@part
def functions_and_templates():
    @ti.func
    def twice(f: ti.template(), x):
        return f(f(x))

    @ti.func
    def grow(x):
        return 3 * x + 1
    out = np.zeros(20, np.int32)

    @ti.kernel
    def run(out: ti.types.ndarray()):
        for i in range(20):
            for k in ti.static(range(3)):
                out[i] += twice(grow, i) * (k + 1)
    run(out)
    check(out, 6 * (9 * np.arange(20) + 4))


@part
def shared_memory_of_a_block():
    n, block = 512, 64
    values = random.normal(size=n).astype(np.float32)
    out = np.zeros(n // block, np.float32)

    @ti.kernel
    def run(v: ti.types.ndarray(), out: ti.types.ndarray()):
        ti.loop_config(block_dim=64)
        for i in range(512):
            tile = ti.simt.block.SharedArray((64,), ti.f32)
            t = i % 64
            tile[t] = v[i]
            ti.simt.block.sync()
            step = 32
            while step > 0:
                if t < step:
                    tile[t] += tile[t + step]
                ti.simt.block.sync()
                step //= 2
            if t == 0:
                out[i // 64] = tile[0]
    run(values, out)
    check(out, values.reshape(-1, block).sum(1), 1e-4)


@part
def warp_shuffles():
    out = np.zeros(64, np.int32)

    @ti.kernel
    def run(out: ti.types.ndarray()):
        ti.loop_config(block_dim=32)
        for i in range(64):
            out[i] = ti.simt.warp.shfl_down_i32(ti.u32(0xFFFFFFFF), i, 1)
    run(out)
    i = np.arange(64)
    check(out, np.where(i % 32 == 31, i, i + 1))


@part
def sparse_fields():
    x = ti.field(ti.i32)
    blocks = ti.root.pointer(ti.i, 64)
    blocks.dense(ti.i, 16).place(x)

    @ti.kernel
    def touch():
        for k in range(10):
            x[k * 100] = k + 1

    @ti.kernel
    def count() -> ti.i32:
        total = 0
        for i in x:
            total += 1
        return total
    touch()
    assert count() == 10 * 16
    assert x[300] == 4 and x[301] == 0


@part
def automatic_derivatives():
    x = ti.field(ti.f32, shape=30, needs_grad=True)
    loss = ti.field(ti.f32, shape=(), needs_grad=True)

    @ti.kernel
    def run():
        for i in x:
            loss[None] += ti.sin(x[i]) * x[i]
    values = random.normal(size=30).astype(np.float32)
    x.from_numpy(values)
    with ti.ad.Tape(loss):
        run()
    check(loss[None], (np.sin(values) * values).sum(), 1e-4)
    check(x.grad.to_numpy(), np.cos(values) * values + np.sin(values), 1e-4)


@part
def random_numbers():
    x = ti.field(ti.f32, shape=4000)

    @ti.kernel
    def run():
        for i in x:
            x[i] = ti.random()
    run()
    got = x.to_numpy()
    assert 0 <= got.min() and got.max() < 1 and abs(got.mean() - 0.5) < 0.03 and len(np.unique(got)) > 3900


@part
def sort_and_scan():
    keys = ti.field(ti.i32, shape=256)
    values = random.integers(0, 1000, 256).astype(np.int32)
    keys.from_numpy(values)
    ti.algorithms.parallel_sort(keys)
    check(keys.to_numpy(), np.sort(values))
    sums = ti.field(ti.i32, shape=512)
    sums.from_numpy(np.resize(values, 512))
    ti.algorithms.PrefixSumExecutor(512).run(sums)
    check(sums.to_numpy(), np.cumsum(np.resize(values, 512)))


@part
def waves_over_many_steps():
    n = 64
    now, last = (ti.field(ti.f32, shape=(n, n)) for _ in range(2))

    @ti.kernel
    def step(now: ti.template(), last: ti.template()):
        for i, j in now:
            around = now[(i + 1) % n, j] + now[(i - 1) % n, j] + now[i, (j + 1) % n] + now[i, (j - 1) % n] - 4 * now[i, j]
            last[i, j] = 2 * now[i, j] - last[i, j] + 0.2 * around
    start = np.zeros((n, n), np.float32)
    start[20, 30] = 1
    now.from_numpy(start)
    last.from_numpy(start)
    a, b = start.copy(), start.copy()
    for _ in range(20):
        step(now, last)
        now, last = last, now
        around = np.roll(a, -1, 0) + np.roll(a, 1, 0) + np.roll(a, -1, 1) + np.roll(a, 1, 1) - 4 * a
        a, b = 2 * a - b + np.float32(0.2) * around, a
    check(now.to_numpy(), a, 1e-4)


part.run()
