"""Halide's CUDA target: a blur through shared memory, a histogram with atomics, a matrix product, a reduction."""
import halide as hl
import numpy as np

from parts import Parts

part = Parts()
rng = np.random.default_rng(3)
target = hl.Target("host-cuda-cuda_capability_70")
x, y, xi, yi, xo, yo = (hl.Var(name) for name in ["x", "y", "xi", "yi", "xo", "yo"])


@part
def blur_in_two_steps():
    image = rng.random((96, 130), dtype=np.float32)
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(image))
    across, blur = hl.Func("across"), hl.Func("blur")
    across[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3.0
    blur[x, y] = (across[x, y - 1] + across[x, y] + across[x, y + 1]) / 3.0
    blur.gpu_tile(x, y, xi, yi, 16, 16)
    across.compute_at(blur, x).gpu_threads(x, y)
    ours = np.array(blur.realize([130, 96], target))
    padded = np.pad(image, 1, mode="edge")
    rows = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3
    np.testing.assert_allclose(ours, (rows[:-2] + rows[1:-1] + rows[2:]) / 3, rtol=1e-5)


@part
def matrix_product():
    n = 64
    a, b = (rng.random((n, n), dtype=np.float32) for _ in range(2))
    left, right = hl.Buffer(a), hl.Buffer(b)
    k = hl.RDom([(0, n)])
    product = hl.Func("product")
    product[x, y] = 0.0
    product[x, y] += left[k.x, y] * right[x, k.x]
    product.gpu_tile(x, y, xi, yi, 16, 8)
    product.update().gpu_tile(x, y, xi, yi, 16, 8)
    np.testing.assert_allclose(np.array(product.realize([n, n], target)), a @ b, rtol=1e-4)


@part
def bytes_and_saturation():
    image = rng.integers(0, 256, (50, 70), dtype=np.uint8)
    source = hl.Buffer(image)
    brighter = hl.Func("brighter")
    brighter[x, y] = hl.u8_sat(hl.cast(hl.UInt(16), source[x, y]) * 3 / 2)
    brighter.gpu_tile(x, y, xi, yi, 32, 4)
    ours = np.array(brighter.realize([70, 50], target))
    np.testing.assert_array_equal(ours, np.minimum(image.astype(int) * 3 // 2, 255))


@part
def histogram_with_atomics():
    image = rng.integers(0, 256, (64, 64), dtype=np.uint8)
    source = hl.Buffer(image)
    r = hl.RDom([(0, 64), (0, 64)])
    histogram = hl.Func("histogram")
    histogram[x] = hl.u32(0)
    histogram[hl.i32(source[r.x, r.y])] += hl.u32(1)
    histogram.gpu_tile(x, xi, 64)
    histogram.update().atomic().gpu_blocks(r.y).gpu_threads(r.x)
    np.testing.assert_array_equal(np.array(histogram.realize([256], target)), np.bincount(image.ravel(), minlength=256))


@part
def elementary_functions():
    values = rng.random(500, dtype=np.float32) + 0.1
    source = hl.Buffer(values)
    f = hl.Func("f")
    f[x] = hl.sin(source[x]) + hl.exp(source[x]) * hl.sqrt(source[x]) + hl.pow(source[x], 1.5)
    f.gpu_tile(x, xi, 64, hl.TailStrategy.GuardWithIf)
    np.testing.assert_allclose(np.array(f.realize([500], target)),
                               np.sin(values) + np.exp(values) * np.sqrt(values) + values**1.5, rtol=1e-4)


part.run()
