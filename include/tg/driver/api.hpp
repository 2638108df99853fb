// The functions of the CUDA driver that tg calls: one list, from which the table of pointers and the names are made.
// libcuda fills a table at run time (driver/libcuda.hpp) or the emulator does in process (emulator/driver_table.hpp).
// Source: CUDA Driver API 13.0, §6; versions: cudaTypedefs.h.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <tg/base/error.hpp>
#include <tg/driver/result.hpp>
#include <tg/driver/structures.hpp>
#include <tg/driver/types.hpp>

namespace tg::driver {

// f(name, suffix of the exported symbol, CUDA version that brought it, parameters)
// clang-format off
#define TG_DRIVER_FUNCTIONS(f)                                                                                         \
  f(cuInit, "", 2000, (unsigned flags))                                                                                \
  f(cuDriverGetVersion, "", 2020, (int* version))                                                                      \
  f(cuGetErrorName, "", 6000, (result error, const char** name))                                                       \
  f(cuGetErrorString, "", 6000, (result error, const char** text))                                                     \
  f(cuDeviceGetCount, "", 2000, (int* count))                                                                          \
  f(cuDeviceGet, "", 2000, (device_id* device, int ordinal))                                                           \
  f(cuDeviceGetName, "", 2000, (char* name, int size, device_id device))                                               \
  f(cuDeviceGetUuid, "_v2", 11040, (uuid* out, device_id device))                                                      \
  f(cuDeviceGetPCIBusId, "", 4010, (char* out, int size, device_id device))                                            \
  f(cuDeviceTotalMem, "_v2", 3020, (std::size_t* bytes, device_id device))                                             \
  f(cuDeviceGetAttribute, "", 2000, (int* value, device_attribute attribute, device_id device))                        \
  f(cuDeviceCanAccessPeer, "", 4000, (int* can, device_id device, device_id peer))                                     \
  f(cuDeviceGetDefaultMemPool, "", 11020, (pool_handle* pool, device_id device))                                       \
  f(cuDevicePrimaryCtxRetain, "", 7000, (context_handle* context, device_id device))                                   \
  f(cuDevicePrimaryCtxRelease, "_v2", 11000, (device_id device))                                                       \
  f(cuDevicePrimaryCtxReset, "_v2", 11000, (device_id device))                                                         \
  f(cuCtxCreate, "_v2", 3020, (context_handle* context, unsigned flags, device_id device))                             \
  f(cuCtxDestroy, "_v2", 4000, (context_handle context))                                                               \
  f(cuCtxSetCurrent, "", 4000, (context_handle context))                                                               \
  f(cuCtxGetCurrent, "", 4000, (context_handle* context))                                                              \
  f(cuCtxGetDevice, "", 2000, (device_id* device))                                                                     \
  f(cuCtxSynchronize, "", 2000, ())                                                                                    \
  f(cuCtxGetLimit, "", 3010, (std::size_t* value, limit what))                                                         \
  f(cuCtxSetLimit, "", 3010, (limit what, std::size_t value))                                                          \
  f(cuCtxGetStreamPriorityRange, "", 5050, (int* least, int* greatest))                                                \
  f(cuCtxEnablePeerAccess, "", 4000, (context_handle peer, unsigned flags))                                            \
  f(cuCtxDisablePeerAccess, "", 4000, (context_handle peer))                                                           \
  f(cuModuleLoadDataEx, "", 2010,                                                                                      \
    (module_handle* module, const void* image, unsigned count, jit_option* options, void** values))                    \
  f(cuModuleUnload, "", 2000, (module_handle module))                                                                  \
  f(cuModuleGetFunction, "", 2000, (function_handle* function, module_handle module, const char* name))                \
  f(cuModuleGetGlobal, "_v2", 3020,                                                                                    \
    (device_address* address, std::size_t* bytes, module_handle module, const char* name))                             \
  f(cuFuncGetAttribute, "", 2020, (int* value, function_attribute attribute, function_handle function))                \
  f(cuFuncSetAttribute, "", 9000, (function_handle function, function_attribute attribute, int value))                 \
  f(cuFuncGetName, "", 12030, (const char** name, function_handle function))                                           \
  f(cuFuncGetModule, "", 11000, (module_handle* module, function_handle function))                                     \
  f(cuOccupancyMaxActiveBlocksPerMultiprocessor, "", 6050,                                                             \
    (int* blocks, function_handle function, int block_threads, std::size_t dynamic_shared_bytes))                      \
  f(cuOccupancyMaxPotentialBlockSize, "", 6050,                                                                        \
    (int* min_grid, int* block_threads, function_handle function, dynamic_shared_size shared_of,                       \
     std::size_t dynamic_shared_bytes, int limit))                                                                     \
  f(cuOccupancyAvailableDynamicSMemPerBlock, "", 10020,                                                                \
    (std::size_t* bytes, function_handle function, int blocks, int block_threads))                                     \
  f(cuOccupancyMaxPotentialClusterSize, "", 11070,                                                                     \
    (int* blocks, function_handle function, const launch_config* config))                                              \
  f(cuOccupancyMaxActiveClusters, "", 11070, (int* clusters, function_handle function, const launch_config* config))   \
  f(cuMemGetInfo, "_v2", 3020, (std::size_t* free_bytes, std::size_t* total_bytes))                                    \
  f(cuMemAlloc, "_v2", 3020, (device_address* address, std::size_t bytes))                                             \
  f(cuMemFree, "_v2", 3020, (device_address address))                                                                  \
  f(cuMemGetAddressRange, "_v2", 3020, (device_address* base, std::size_t* bytes, device_address address))             \
  f(cuMemAllocAsync, "", 11020, (device_address* address, std::size_t bytes, stream_handle stream))                    \
  f(cuMemFreeAsync, "", 11020, (device_address address, stream_handle stream))                                         \
  f(cuMemAllocFromPoolAsync, "", 11020,                                                                                \
    (device_address* address, std::size_t bytes, pool_handle pool, stream_handle stream))                              \
  f(cuMemPoolCreate, "", 11020, (pool_handle* pool, const pool_properties* properties))                                \
  f(cuMemPoolDestroy, "", 11020, (pool_handle pool))                                                                   \
  f(cuMemPoolTrimTo, "", 11020, (pool_handle pool, std::size_t bytes))                                                 \
  f(cuMemPoolGetAttribute, "", 11020, (pool_handle pool, pool_attribute attribute, void* value))                       \
  f(cuMemPoolSetAttribute, "", 11020, (pool_handle pool, pool_attribute attribute, const void* value))                 \
  f(cuMemPoolSetAccess, "", 11020, (pool_handle pool, const memory_access_description* access, std::size_t count))     \
  f(cuMemGetAllocationGranularity, "", 10020,                                                                          \
    (std::size_t* bytes, const allocation_properties* properties, int which))                                          \
  f(cuMemAddressReserve, "", 10020,                                                                                    \
    (device_address* address, std::size_t bytes, std::size_t alignment, device_address wish,                           \
     unsigned long long flags))                                                                                        \
  f(cuMemAddressFree, "", 10020, (device_address address, std::size_t bytes))                                          \
  f(cuMemCreate, "", 10020,                                                                                            \
    (physical_handle* handle, std::size_t bytes, const allocation_properties* properties, unsigned long long flags))   \
  f(cuMemRelease, "", 10020, (physical_handle handle))                                                                 \
  f(cuMemMap, "", 10020,                                                                                               \
    (device_address address, std::size_t bytes, std::size_t offset, physical_handle handle,                            \
     unsigned long long flags))                                                                                        \
  f(cuMemUnmap, "", 10020, (device_address address, std::size_t bytes))                                                \
  f(cuMemSetAccess, "", 10020,                                                                                         \
    (device_address address, std::size_t bytes, const memory_access_description* access, std::size_t count))           \
  f(cuMemAllocManaged, "", 6000, (device_address* address, std::size_t bytes, unsigned flags))                         \
  f(cuMemPrefetchAsync, "", 8000,                                                                                      \
    (device_address address, std::size_t bytes, device_id device, stream_handle stream))                               \
  f(cuMemAdvise, "", 8000, (device_address address, std::size_t bytes, int advice, device_id device))                  \
  f(cuPointerGetAttribute, "", 4000, (void* value, pointer_attribute attribute, device_address address))               \
  f(cuPointerGetAttributes, "", 7000,                                                                                  \
    (unsigned count, const pointer_attribute* attributes, void** values, device_address address))                      \
  f(cuMemHostAlloc, "", 2020, (void** memory, std::size_t bytes, unsigned flags))                                      \
  f(cuMemFreeHost, "", 2000, (void* memory))                                                                           \
  f(cuMemHostRegister, "_v2", 6050, (void* memory, std::size_t bytes, unsigned flags))                                 \
  f(cuMemHostUnregister, "", 4000, (void* memory))                                                                     \
  f(cuMemHostGetDevicePointer, "_v2", 3020, (device_address* address, void* memory, unsigned flags))                   \
  f(cuMemcpyHtoD, "_v2", 3020, (device_address to, const void* from, std::size_t bytes))                               \
  f(cuMemcpyDtoH, "_v2", 3020, (void* to, device_address from, std::size_t bytes))                                     \
  f(cuMemcpyDtoD, "_v2", 3020, (device_address to, device_address from, std::size_t bytes))                            \
  f(cuMemcpyHtoDAsync, "_v2", 3020, (device_address to, const void* from, std::size_t bytes, stream_handle stream))    \
  f(cuMemcpyDtoHAsync, "_v2", 3020, (void* to, device_address from, std::size_t bytes, stream_handle stream))          \
  f(cuMemcpyDtoDAsync, "_v2", 3020,                                                                                    \
    (device_address to, device_address from, std::size_t bytes, stream_handle stream))                                 \
  f(cuMemcpyPeer, "", 4000,                                                                                            \
    (device_address to, context_handle to_context, device_address from, context_handle from_context,                   \
     std::size_t bytes))                                                                                               \
  f(cuMemcpyPeerAsync, "", 4000,                                                                                       \
    (device_address to, context_handle to_context, device_address from, context_handle from_context,                   \
     std::size_t bytes, stream_handle stream))                                                                         \
  f(cuMemsetD8, "_v2", 3020, (device_address to, unsigned char value, std::size_t count))                              \
  f(cuMemsetD16, "_v2", 3020, (device_address to, unsigned short value, std::size_t count))                            \
  f(cuMemsetD32, "_v2", 3020, (device_address to, unsigned value, std::size_t count))                                  \
  f(cuMemsetD8Async, "", 3020, (device_address to, unsigned char value, std::size_t count, stream_handle stream))      \
  f(cuMemsetD16Async, "", 3020, (device_address to, unsigned short value, std::size_t count, stream_handle stream))    \
  f(cuMemsetD32Async, "", 3020, (device_address to, unsigned value, std::size_t count, stream_handle stream))          \
  f(cuMemsetD2D8Async, "", 3020,                                                                                       \
    (device_address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,                 \
     stream_handle stream))                                                                                            \
  f(cuMemsetD2D16Async, "", 3020,                                                                                      \
    (device_address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height,                \
     stream_handle stream))                                                                                            \
  f(cuMemsetD2D32Async, "", 3020,                                                                                      \
    (device_address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,                      \
     stream_handle stream))                                                                                            \
  f(cuStreamCreate, "", 2000, (stream_handle* stream, stream_flag flags))                                              \
  f(cuStreamCreateWithPriority, "", 5050, (stream_handle* stream, stream_flag flags, int priority))                    \
  f(cuStreamDestroy, "_v2", 4000, (stream_handle stream))                                                              \
  f(cuStreamGetCtx, "", 9020, (stream_handle stream, context_handle* context))                                         \
  f(cuStreamGetFlags, "", 5050, (stream_handle stream, unsigned* flags))                                               \
  f(cuStreamGetPriority, "", 5050, (stream_handle stream, int* priority))                                              \
  f(cuStreamSynchronize, "", 2000, (stream_handle stream))                                                             \
  f(cuStreamQuery, "", 2000, (stream_handle stream))                                                                   \
  f(cuStreamWaitEvent, "", 3020, (stream_handle stream, event_handle event, unsigned flags))                           \
  f(cuStreamBeginCapture, "_v2", 10010, (stream_handle stream, capture_mode mode))                                     \
  f(cuStreamEndCapture, "", 10000, (stream_handle stream, graph_handle* graph))                                        \
  f(cuStreamIsCapturing, "", 10000, (stream_handle stream, capture_status* status))                                    \
  f(cuThreadExchangeStreamCaptureMode, "", 10010, (capture_mode* mode))                                                \
  f(cuEventCreate, "", 2000, (event_handle* event, event_flag flags))                                                  \
  f(cuEventDestroy, "_v2", 4000, (event_handle event))                                                                 \
  f(cuEventRecord, "", 2000, (event_handle event, stream_handle stream))                                               \
  f(cuEventSynchronize, "", 2000, (event_handle event))                                                                \
  f(cuEventQuery, "", 2000, (event_handle event))                                                                      \
  f(cuEventElapsedTime, "", 2000, (float* milliseconds, event_handle start, event_handle end))                         \
  f(cuLaunchKernel, "", 4000,                                                                                          \
    (function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,  \
     unsigned block_z, unsigned shared_bytes, stream_handle stream, void** parameters, void** extra))                  \
  f(cuLaunchKernelEx, "", 11060,                                                                                       \
    (const launch_config* config, function_handle function, void** parameters, void** extra))                          \
  f(cuLaunchHostFunc, "", 10000, (stream_handle stream, host_function function, void* data))                           \
  f(cuTensorMapEncodeTiled, "", 12000,                                                                                 \
    (tensor_map* map, int type, std::uint32_t rank, void* address, const std::uint64_t* extents,                       \
     const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* steps, int interleave, int swizzle,  \
     int promotion, int fill))                                                                                         \
  f(cuTensorMapEncodeIm2col, "", 12000,                                                                                \
    (tensor_map* map, int type, std::uint32_t rank, void* address, const std::uint64_t* extents,                       \
     const std::uint64_t* strides, const int* lower, const int* upper, std::uint32_t channels, std::uint32_t pixels,   \
     const std::uint32_t* steps, int interleave, int swizzle, int promotion, int fill))                                \
  f(cuLinkCreate, "_v2", 6050, (unsigned count, jit_option* options, void** values, link_handle* link))                \
  f(cuLinkAddData, "_v2", 6050,                                                                                        \
    (link_handle link, jit_input type, void* data, std::size_t bytes, const char* name, unsigned count,                \
     jit_option* options, void** values))                                                                              \
  f(cuLinkComplete, "", 5050, (link_handle link, void** cubin, std::size_t* bytes))                                    \
  f(cuLinkDestroy, "", 5050, (link_handle link))                                                                       \
  f(cuGraphCreate, "", 10000, (graph_handle* graph, unsigned flags))                                                   \
  f(cuGraphAddKernelNode, "_v2", 12000,                                                                                \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count,                   \
     const kernel_node_parameters* parameters))                                                                        \
  f(cuGraphAddMemcpyNode, "", 10000,                                                                                   \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count,                   \
     const copy_3d* parameters, context_handle context))                                                               \
  f(cuGraphAddMemsetNode, "", 10000,                                                                                   \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count,                   \
     const set_node_parameters* parameters, context_handle context))                                                   \
  f(cuGraphAddHostNode, "", 10000,                                                                                     \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count,                   \
     const host_node_parameters* parameters))                                                                          \
  f(cuGraphAddEmptyNode, "", 10000,                                                                                    \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count))                  \
  f(cuGraphAddChildGraphNode, "", 10000,                                                                               \
    (graph_node_handle* node, graph_handle graph, const graph_node_handle* after, std::size_t count,                   \
     graph_handle child))                                                                                              \
  f(cuGraphNodeGetType, "", 10000, (graph_node_handle node, node_type* type))                                          \
  f(cuGraphKernelNodeGetParams, "_v2", 12000, (graph_node_handle node, kernel_node_parameters* parameters))            \
  f(cuGraphKernelNodeSetAttribute, "", 11000,                                                                          \
    (graph_node_handle node, launch_attribute_id id, const launch_attribute_value* value))                             \
  f(cuGraphGetNodes, "", 10000, (graph_handle graph, graph_node_handle* nodes, std::size_t* count))                    \
  f(cuGraphInstantiateWithFlags, "", 11040, (graph_exec_handle* exec, graph_handle graph, unsigned long long flags))   \
  f(cuGraphExecUpdate, "_v2", 12000, (graph_exec_handle exec, graph_handle graph, update_info* info))                  \
  f(cuGraphExecKernelNodeSetParams, "_v2", 12000,                                                                      \
    (graph_exec_handle exec, graph_node_handle node, const kernel_node_parameters* parameters))                        \
  f(cuGraphExecMemcpyNodeSetParams, "", 10020,                                                                         \
    (graph_exec_handle exec, graph_node_handle node, const copy_3d* parameters, context_handle context))               \
  f(cuGraphExecMemsetNodeSetParams, "", 10020,                                                                         \
    (graph_exec_handle exec, graph_node_handle node, const set_node_parameters* parameters, context_handle context))   \
  f(cuGraphExecHostNodeSetParams, "", 10020,                                                                           \
    (graph_exec_handle exec, graph_node_handle node, const host_node_parameters* parameters))                          \
  f(cuGraphLaunch, "", 10000, (graph_exec_handle exec, stream_handle stream))                                          \
  f(cuGraphExecDestroy, "", 10000, (graph_exec_handle exec))                                                           \
  f(cuGraphDestroy, "", 10000, (graph_handle graph))
// clang-format on

/// The driver as pointers to its functions; one that an old driver lacks is null.
struct table {
#define TG_DRIVER_POINTER(name, suffix, since, parameters) result(*name) parameters = nullptr;
  TG_DRIVER_FUNCTIONS(TG_DRIVER_POINTER)
#undef TG_DRIVER_POINTER

  /// What the emulator has to say about this thread's last failed call, once; null in a table of libcuda.
  std::optional<error> (*take_report)() = nullptr;
};

/// A function of the table: its name, the symbol a driver exports, the CUDA version that brought it (11040: 11.4), and
/// its parameters as written.
struct symbol {
  const char* name;
  const char* exported;
  int since;
  std::string_view parameters;
};

/// The functions in the order of the table.
inline constexpr auto symbols = std::to_array<symbol>({
#define TG_DRIVER_SYMBOL(name, suffix, since, parameters) {#name, #name suffix, since, #parameters},
    TG_DRIVER_FUNCTIONS(TG_DRIVER_SYMBOL)
#undef TG_DRIVER_SYMBOL
});

/// Calls `f(symbol, pointer)` for each function of the table.
template <class Table, class F> constexpr void for_each_function(Table& api, F f) {
  std::size_t i = 0;
#define TG_DRIVER_VISIT(name, suffix, since, parameters) f(symbols[i++], api.name);
  TG_DRIVER_FUNCTIONS(TG_DRIVER_VISIT)
#undef TG_DRIVER_VISIT
}

/// Calls `f.template operator()<&table::name>(symbol)` for each function of the table.
template <class F> constexpr void for_each_member(F f) {
  std::size_t i = 0;
#define TG_DRIVER_MEMBER(name, suffix, since, parameters) f.template operator()<&table::name>(symbols[i++]);
  TG_DRIVER_FUNCTIONS(TG_DRIVER_MEMBER)
#undef TG_DRIVER_MEMBER
}

#undef TG_DRIVER_FUNCTIONS

static_assert(sizeof(table) == (symbols.size() + 1) * sizeof(void (*)()));

}  // namespace tg::driver
