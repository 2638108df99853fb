"""NVIDIA's cuda-bindings: memory, modules, launches, streams, events, graphs and what else programs ask of the driver."""
import ctypes

import numpy as np
from cuda.bindings import driver as cu

from parts import Parts

part = Parts()
rng = np.random.default_rng(5)
N = 1000
AXPY = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.visible .entry axpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<6>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [y]; ld.param.u64 %rd2, [x]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1; @%p1 bra done;
  mul.wide.u32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f2, %f1, %f3, %f2; st.global.f32 [%rd4], %f2;
done: ret;
}
"""


def ok(answer):
    assert answer[0] == cu.CUresult.CUDA_SUCCESS, ok(cu.cuGetErrorName(answer[0]))
    return answer[1] if len(answer) == 2 else answer[1:]


def refused(answer, why):
    assert answer[0] == why, answer[0]


ok(cu.cuInit(0))
device = ok(cu.cuDeviceGet(0))
context = ok(cu.cuDevicePrimaryCtxRetain(device))
ok(cu.cuCtxSetCurrent(context))
module = ok(cu.cuModuleLoadData(AXPY))
axpy = ok(cu.cuModuleGetFunction(module, b"axpy"))
x = rng.random(N, dtype=np.float32)
y = rng.random(N, dtype=np.float32)


def uploaded(array):
    address = ok(cu.cuMemAlloc(array.nbytes))
    ok(cu.cuMemcpyHtoD(address, array.ctypes.data, array.nbytes))
    return address


def downloaded(address):
    out = np.empty(N, np.float32)
    ok(cu.cuMemcpyDtoH(out.ctypes.data, address, out.nbytes))
    return out


def arguments(to, source, a=2.0):
    return (to, source, a, N), (None, None, ctypes.c_float, ctypes.c_uint)


def launch(to, source, stream=0):
    ok(cu.cuLaunchKernel(axpy, (N + 127) // 128, 1, 1, 128, 1, 1, 0, stream, arguments(to, source), 0))


@part
def the_device():
    assert ok(cu.cuDeviceGetCount()) == 1 and ok(cu.cuDriverGetVersion()) >= 12000
    assert ok(cu.cuDeviceGetAttribute(cu.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)) == 9
    for attribute in cu.CUdevice_attribute:
        if attribute.name != "CU_DEVICE_ATTRIBUTE_MAX" and int(attribute) <= 147:
            ok(cu.cuDeviceGetAttribute(attribute, device))
    assert len(ok(cu.cuDeviceGetUuid(device)).bytes) == 16
    assert int(ok(cu.cuDeviceGetByPCIBusId(ok(cu.cuDeviceGetPCIBusId(32, device))))) == int(device)


@part
def a_launch():
    dx, dy = uploaded(x), uploaded(y)
    launch(dy, dx)
    np.testing.assert_allclose(downloaded(dy), 2 * x + y, rtol=1e-6)
    for address in (dx, dy):
        ok(cu.cuMemFree(address))
    refused(cu.cuMemFree(dx), cu.CUresult.CUDA_ERROR_INVALID_VALUE)


@part
def a_launch_with_attributes():
    dx, dy = uploaded(x), uploaded(y)
    config = cu.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = (N + 127) // 128, 1, 1
    config.blockDimX, config.blockDimY, config.blockDimZ = 128, 1, 1
    together = cu.CUlaunchAttribute()
    together.id = cu.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_COOPERATIVE
    together.value.cooperative = 1
    config.attrs, config.numAttrs = [together], 1
    ok(cu.cuLaunchKernelEx(config, axpy, arguments(dy, dx), 0))
    np.testing.assert_allclose(downloaded(dy), 2 * x + y, rtol=1e-6)


@part
def memory_of_all_kinds():
    managed = ok(cu.cuMemAllocManaged(4 * N, cu.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL.value))
    view = np.ctypeslib.as_array(ctypes.cast(int(managed), ctypes.POINTER(ctypes.c_float)), (N,))
    view[:] = y
    dx = uploaded(x)
    launch(managed, dx)
    ok(cu.cuCtxSynchronize())
    np.testing.assert_allclose(view, 2 * x + y, rtol=1e-6)
    mine = y.copy()
    ok(cu.cuMemHostRegister(mine.ctypes.data, mine.nbytes, 0))
    launch(ok(cu.cuMemHostGetDevicePointer(mine.ctypes.data, 0)), dx)
    np.testing.assert_allclose(mine, 2 * x + y, rtol=1e-6)
    ok(cu.cuMemHostUnregister(mine.ctypes.data))
    kind = cu.CUpointer_attribute.CU_POINTER_ATTRIBUTE_IS_MANAGED
    assert ok(cu.cuPointerGetAttribute(kind, managed))
    pitched, pitch = ok(cu.cuMemAllocPitch(100, 8, 4))
    assert pitch >= 100
    ok(cu.cuMemsetD2D8(pitched, pitch, 7, 100, 8))


@part
def pools():
    stream = ok(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING.value))
    pool = ok(cu.cuDeviceGetDefaultMemPool(device))
    used = cu.CUmemPool_attribute.CU_MEMPOOL_ATTR_USED_MEM_CURRENT
    before = int(ok(cu.cuMemPoolGetAttribute(pool, used)))
    address = ok(cu.cuMemAllocFromPoolAsync(4096, pool, stream))
    assert int(ok(cu.cuMemPoolGetAttribute(pool, used))) == before + 4096
    ok(cu.cuMemsetD32Async(address, 1, 1024, stream))
    ok(cu.cuMemFreeAsync(address, stream))
    ok(cu.cuStreamSynchronize(stream))
    assert int(ok(cu.cuMemPoolGetAttribute(pool, used))) == before


@part
def mapped_memory():
    properties = cu.CUmemAllocationProp()
    properties.type = cu.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    properties.location.type = cu.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    unit = ok(cu.cuMemGetAllocationGranularity(
        properties, cu.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM))
    address = ok(cu.cuMemAddressReserve(2 * unit, 0, 0, 0))
    physical = ok(cu.cuMemCreate(unit, properties, 0))
    for part_of in (0, unit):
        ok(cu.cuMemMap(int(address) + part_of, unit, 0, physical, 0))
    access = cu.CUmemAccessDesc()
    access.location = properties.location
    access.flags = cu.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    ok(cu.cuMemSetAccess(address, 2 * unit, [access], 1))
    ok(cu.cuMemcpyHtoD(address, y.ctypes.data, y.nbytes))
    np.testing.assert_array_equal(downloaded(int(address) + unit), y)
    ok(cu.cuMemUnmap(address, 2 * unit))
    ok(cu.cuMemRelease(physical))
    ok(cu.cuMemAddressFree(address, 2 * unit))
    refused(cu.cuMemcpyHtoD(address, y.ctypes.data, y.nbytes), cu.CUresult.CUDA_ERROR_INVALID_VALUE)


@part
def events_and_priorities():
    stream = ok(cu.cuStreamCreateWithPriority(cu.CUstream_flags.CU_STREAM_NON_BLOCKING.value, -1))
    assert ok(cu.cuStreamGetPriority(stream)) == -1
    begin, end = ok(cu.cuEventCreate(0)), ok(cu.cuEventCreate(0))
    dx, dy = uploaded(x), uploaded(y)
    ok(cu.cuEventRecord(begin, stream))
    launch(dy, dx, stream)
    ok(cu.cuEventRecord(end, stream))
    ok(cu.cuEventSynchronize(end))
    assert ok(cu.cuEventElapsedTime(begin, end)) >= 0


@part
def a_captured_graph():
    stream = ok(cu.cuStreamCreate(cu.CUstream_flags.CU_STREAM_NON_BLOCKING.value))
    dx, dy = uploaded(x), uploaded(y)
    ok(cu.cuStreamBeginCapture(stream, cu.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL))
    for _ in range(3):
        launch(dy, dx, stream)
    graph = ok(cu.cuStreamEndCapture(stream))
    assert ok(cu.cuGraphGetNodes(graph))[1] == 3
    executable = ok(cu.cuGraphInstantiate(graph, 0))
    ok(cu.cuGraphLaunch(executable, stream))
    ok(cu.cuStreamSynchronize(stream))
    np.testing.assert_allclose(downloaded(dy), 6 * x + y, rtol=1e-5)


@part
def a_built_graph():
    dx, dy = uploaded(x), uploaded(y)
    graph = ok(cu.cuGraphCreate(0))
    fill = cu.CUDA_MEMSET_NODE_PARAMS()
    fill.dst, fill.value, fill.elementSize, fill.width, fill.height = dy, 0, 4, N, 1
    first = ok(cu.cuGraphAddMemsetNode(graph, None, 0, fill, context))
    kernel = cu.CUDA_KERNEL_NODE_PARAMS()
    kernel.func = axpy
    kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ = (N + 127) // 128, 1, 1
    kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ = 128, 1, 1
    kernel.kernelParams = arguments(dy, dx, 3.0)
    second = ok(cu.cuGraphAddKernelNode(graph, [first], 1, kernel))
    executable = ok(cu.cuGraphInstantiate(graph, 0))
    ok(cu.cuGraphLaunch(executable, 0))
    np.testing.assert_allclose(downloaded(dy), 3 * x, rtol=1e-6)
    kernel.kernelParams = arguments(dy, dx, 5.0)
    ok(cu.cuGraphExecKernelNodeSetParams(executable, second, kernel))
    ok(cu.cuGraphLaunch(executable, 0))
    np.testing.assert_allclose(downloaded(dy), 5 * x, rtol=1e-6)


@part
def libraries_and_kernels():
    library = ok(cu.cuLibraryLoadData(AXPY, None, None, 0, None, None, 0))
    assert ok(cu.cuLibraryGetKernelCount(library)) == 1
    kernel = ok(cu.cuLibraryGetKernel(library, b"axpy"))
    address, size = ok(cu.cuLibraryGetGlobal(library, b"counter"))
    assert size == 4 and int(address) != 0
    assert ok(cu.cuKernelGetAttribute(cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device)) == 1024
    dx, dy = uploaded(x), uploaded(y)
    ok(cu.cuLaunchKernel(cu.CUfunction(int(kernel)), (N + 127) // 128, 1, 1, 128, 1, 1, 0, 0, arguments(dy, dx), 0))
    np.testing.assert_allclose(downloaded(dy), 2 * x + y, rtol=1e-6)
    ok(cu.cuLibraryUnload(library))


@part
def occupancy():
    assert ok(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(axpy, 256, 0)) == 8
    grid, block = ok(cu.cuOccupancyMaxPotentialBlockSize(axpy, None, 0, 0))
    assert block % 32 == 0 and grid > 0


@part
def errors_are_named():
    refused(cu.cuModuleLoadData(b".version 7.0\n.target sm_70\n.visible .entry f() { fly.u32 %r1; }"),
            cu.CUresult.CUDA_ERROR_INVALID_PTX)
    refused(cu.cuModuleGetFunction(module, b"apxy"), cu.CUresult.CUDA_ERROR_NOT_FOUND)
    assert ok(cu.cuGetErrorName(cu.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS)) == b"CUDA_ERROR_ILLEGAL_ADDRESS"


part.run()
