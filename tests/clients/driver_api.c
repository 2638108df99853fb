/* A program of the CUDA driver API in plain C, as others write them: it knows cuda.h or nothing, and links -lcuda. It uses
   device, pinned and managed memory, pools, events, callbacks, a captured and a built graph, the linker, and checks each
   number it gets. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call)                                                          \
  do {                                                                    \
    CUresult r_ = (call);                                                 \
    if (r_ != CUDA_SUCCESS) {                                             \
      const char* name_ = "?";                                            \
      cuGetErrorName(r_, &name_);                                         \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, name_);       \
      exit(1);                                                            \
    }                                                                     \
  } while (0)
#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      fprintf(stderr, "line %d: not %s\n", __LINE__, #condition);    \
      exit(1);                                                       \
    }                                                                \
  } while (0)

enum { N = 1000 };

static const char kernels[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 out) twice(.param .b32 in);\n"
    ".visible .global .align 4 .u32 counter = 7;\n"
    ".visible .entry scale(.param .u64 y, .param .u32 n)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
    "  ld.param.u64 %rd1, [y]; ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "  setp.ge.u32 %p1, %r5, %r1; @%p1 bra done;\n"
    "  mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r6, [%rd3];\n"
    "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r6; call.uni (b), twice, (a); ld.param.b32 %r7, [b]; }\n"
    "  st.global.u32 [%rd3], %r7;\n"
    "done: ret; }\n";
static const char twice[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .func (.param .b32 out) twice(.param .b32 in)\n"
    "{ .reg .b32 %r<3>; ld.param.u32 %r1, [in]; add.u32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret; }\n";

static void add_one(void* data) { ++*(int*)data; }
static void CUDA_CB on_stream(CUstream s, CUresult status, void* data) {
  (void)s;
  if (status == CUDA_SUCCESS) ++*(int*)data;
}

static CUmodule link_module(void) {
  char log[512] = "";
  CUjit_option keys[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUlinkState link;
  void* image;
  size_t bytes;
  CUmodule module;
  OK(cuLinkCreate(2, keys, values, &link));
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)kernels, sizeof kernels, "kernels", 0, NULL, NULL));
  OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)twice, sizeof twice, "twice", 0, NULL, NULL));
  OK(cuLinkComplete(link, &image, &bytes));
  OK(cuModuleLoadData(&module, image));
  OK(cuLinkDestroy(link));
  return module;
}

static void scale(CUfunction f, CUdeviceptr y, CUstream s) {
  unsigned n = N;
  void* parameters[] = {&y, &n};
  OK(cuLaunchKernel(f, (N + 127) / 128, 1, 1, 128, 1, 1, 0, s, parameters, NULL));
}

int main(void) {
  CUdevice device;
  CUcontext context, popped;
  CUmodule module;
  CUfunction f;
  CUdeviceptr y, managed, pooled, counter;
  CUstream s;
  CUevent begin, end;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode set_node, kernel_node;
  CUdeviceptr attribute;
  unsigned *pinned, *shared;
  int calls = 0, major = 0, i;
  float milliseconds = -1;
  size_t bytes;

  CHECK(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED);
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(major == 9);
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxPushCurrent(context));
  module = link_module();
  OK(cuModuleGetFunction(&f, module, "scale"));
  OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
  CHECK(bytes == 4);

  OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuMemAlloc(&y, 4 * N));
  OK(cuMemAllocAsync(&pooled, 4 * N, s));
  OK(cuMemHostAlloc((void**)&pinned, 4 * N, CU_MEMHOSTALLOC_PORTABLE));
  OK(cuMemAllocManaged(&managed, 4 * N, CU_MEM_ATTACH_GLOBAL));
  shared = (unsigned*)managed;
  OK(cuPointerGetAttribute(&attribute, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, managed + 8));
  CHECK(attribute == managed);

  for (i = 0; i < N; ++i) pinned[i] = shared[i] = (unsigned)i;
  OK(cuEventRecord(begin, s));
  OK(cuMemcpyHtoDAsync(y, pinned, 4 * N, s));
  OK(cuLaunchHostFunc(s, add_one, &calls));
  scale(f, y, s);
  OK(cuStreamAddCallback(s, on_stream, &calls, 0));
  scale(f, managed, s);
  OK(cuMemcpyDtoDAsync(pooled, y, 4 * N, s));
  OK(cuMemcpyDtoHAsync(pinned, pooled, 4 * N, s));
  OK(cuMemFreeAsync(pooled, s));
  OK(cuEventRecord(end, s));
  OK(cuEventSynchronize(end));
  CHECK(calls == 2);
  OK(cuEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0);
  for (i = 0; i < N; ++i) CHECK(pinned[i] == 2u * (unsigned)i && shared[i] == 2u * (unsigned)i);

  OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
  scale(f, y, s);
  scale(f, y, s);
  OK(cuStreamEndCapture(s, &graph));
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, s));
  OK(cuStreamSynchronize(s));
  OK(cuMemcpyDtoH(pinned, y, 4 * N));
  for (i = 0; i < N; ++i) CHECK(pinned[i] == 8u * (unsigned)i);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));

  {
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_KERNEL_NODE_PARAMS launch;
    unsigned n = N;
    void* parameters[] = {&y, &n};
    memset(&fill, 0, sizeof fill);
    memset(&launch, 0, sizeof launch);
    fill.dst = y;
    fill.value = 21;
    fill.elementSize = 4;
    fill.width = N;
    fill.height = 1;
    launch.func = f;
    launch.gridDimX = (N + 63) / 64;
    launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
    launch.blockDimX = 64;
    launch.kernelParams = parameters;
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemsetNode(&set_node, graph, NULL, 0, &fill, context));
    OK(cuGraphAddKernelNode(&kernel_node, graph, &set_node, 1, &launch));
    OK(cuGraphInstantiate(&exec, graph, 0));
    for (i = 0; i < 3; ++i) OK(cuGraphLaunch(exec, s));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(pinned, y, 4 * N));
    for (i = 0; i < N; ++i) CHECK(pinned[i] == 42);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
  }

  CHECK(cuMemFree(y + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(pinned, y + 4, 4 * N) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(y));
  OK(cuMemFree(managed));
  OK(cuMemFreeHost(pinned));
  OK(cuEventDestroy(begin));
  OK(cuEventDestroy(end));
  OK(cuStreamDestroy(s));
  OK(cuModuleUnload(module));
  OK(cuCtxPopCurrent(&popped));
  CHECK(popped == context);
  OK(cuDevicePrimaryCtxRelease(device));
  puts("driver_api: every number is right");
  return 0;
}
