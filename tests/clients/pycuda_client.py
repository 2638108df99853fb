"""PyCUDA: modules compiled by nvcc, arrays, element-wise kernels, reductions, scans, streams."""
import shutil
import sys

import numpy as np

if shutil.which("nvcc") is None:
    print("skipped: PyCUDA compiles with nvcc, and there is none")
    sys.exit(77)

import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
from pycuda.curandom import rand as curand
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

from parts import Parts

part = Parts()
rng = np.random.default_rng(5)


@part
def the_first_example_of_its_manual():
    module = SourceModule("""
    __global__ void multiply_them(float *dest, float *a, float *b) {
      const int i = threadIdx.x;
      dest[i] = a[i] * b[i];
    }
    """)
    a, b = (rng.standard_normal(400, dtype=np.float32) for _ in range(2))
    dest = np.zeros_like(a)
    module.get_function("multiply_them")(cuda.Out(dest), cuda.In(a), cuda.In(b), block=(400, 1, 1), grid=(1, 1))
    np.testing.assert_array_equal(dest, a * b)


@part
def launches_prepared_before():
    function = SourceModule("""
    __global__ void scale(float *x, float by, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] *= by;
    }
    """).get_function("scale")
    function.prepare("Pfi")
    x = rng.random(1001, dtype=np.float32)
    on_gpu = cuda.to_device(x)
    function.prepared_call((8, 1), (128, 1, 1), on_gpu, 3.0, 1001)
    np.testing.assert_array_equal(cuda.from_device_like(on_gpu, x), x * np.float32(3))
    assert function.num_regs > 0 and function.max_threads_per_block == 1024


@part
def launches_in_the_old_way():
    function = SourceModule("__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }").get_function("fill")
    x = np.zeros(64, np.int32)
    on_gpu = cuda.to_device(x)
    function._set_block_shape(64, 1, 1)
    function._param_set_size(8)
    function._param_setv(0, np.uintp(int(on_gpu)))
    function._launch_grid(1, 1)
    np.testing.assert_array_equal(cuda.from_device_like(on_gpu, x), np.arange(64))


@part
def shared_memory_and_constants():
    module = SourceModule("""
    __constant__ float weights[4];
    __global__ void smooth(float *y, const float *x) {
      extern __shared__ float s[];
      s[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += weights[k] * s[(threadIdx.x + k) % blockDim.x];
      y[threadIdx.x] = sum;
    }
    """)
    weights = np.array([0.5, 0.25, 0.125, 0.125], np.float32)
    place, size = module.get_global("weights")
    assert size == weights.nbytes
    cuda.memcpy_htod(place, weights)
    x, y = rng.random(96, dtype=np.float32), np.empty(96, np.float32)
    module.get_function("smooth")(cuda.Out(y), cuda.In(x), block=(96, 1, 1), shared=96 * 4)
    np.testing.assert_allclose(y, sum(w * np.roll(x, -k) for k, w in enumerate(weights)), rtol=1e-6)


@part
def arrays():
    a, b = (rng.random((37, 11), dtype=np.float32) for _ in range(2))
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    np.testing.assert_allclose((2 * x + y / (x + 1) - 3).get(), 2 * a + b / (a + 1) - 3, rtol=1e-5)
    np.testing.assert_allclose(gpuarray.sum(x).get(), a.sum(), rtol=1e-5)
    np.testing.assert_allclose(gpuarray.dot(x, y).get(), (a * b).sum(), rtol=1e-5)
    assert gpuarray.max(x).get() == a.max() and gpuarray.min(y).get() == b.min()


@part
def element_wise_kernels():
    combine = ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]", "combine")
    x, y = (gpuarray.to_gpu(rng.random(5003, dtype=np.float32)) for _ in range(2))
    z = gpuarray.empty_like(x)
    combine(5, x, 6, y, z)
    np.testing.assert_allclose(z.get(), 5 * x.get() + 6 * y.get(), rtol=1e-6)


@part
def reductions():
    square = ReductionKernel(np.float64, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]", arguments="double *x")
    x = rng.random(100003)
    np.testing.assert_allclose(square(gpuarray.to_gpu(x)).get(), (x * x).sum(), rtol=1e-12)


@part
def scans():
    x = rng.integers(0, 100, 20011, dtype=np.int32)
    inclusive, exclusive = gpuarray.to_gpu(x), gpuarray.to_gpu(x)
    InclusiveScanKernel(np.int32, "a+b")(inclusive)
    ExclusiveScanKernel(np.int32, "a+b", 0)(exclusive)
    np.testing.assert_array_equal(inclusive.get(), np.cumsum(x))
    np.testing.assert_array_equal(exclusive.get(), np.cumsum(x) - x)


@part
def random_numbers():
    x = curand((1000,)).get()
    assert 0 <= x.min() < x.max() <= 1 and abs(x.mean() - 0.5) < 0.1


@part
def streams_and_events():
    stream, start, end = cuda.Stream(), cuda.Event(), cuda.Event()
    host = cuda.pagelocked_empty(256, np.float32)
    host[:] = rng.random(256)
    on_gpu = cuda.mem_alloc(host.nbytes)
    back = cuda.pagelocked_empty_like(host)
    start.record(stream)
    cuda.memcpy_htod_async(on_gpu, host, stream)
    cuda.memcpy_dtoh_async(back, on_gpu, stream)
    end.record(stream)
    end.synchronize()
    np.testing.assert_array_equal(back, host)
    assert end.time_since(start) >= 0


@part
def errors_are_python_exceptions():
    function = SourceModule("__global__ void wild(int *x) { x[1 << 20] = 1; }").get_function("wild")
    try:
        function(cuda.mem_alloc(64), block=(1, 1, 1))
        pycuda.autoinit.context.synchronize()
    except cuda.Error:
        return
    raise AssertionError("a store outside every buffer went unnoticed")


part.run()
