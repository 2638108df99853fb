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
#define TG_DRIVER_FUNCTIONS(f)                                                                                         \
  f(cuInit, "", 2000, (unsigned flags))                                                                                \
  f(cuDriverGetVersion, "", 2020, (int* version))                                                                      \
  f(cuGetErrorName, "", 6000, (result error, const char** name))                                                       \
  f(cuGetErrorString, "", 6000, (result error, const char** text))                                                     \
  f(cuDeviceGetCount, "", 2000, (int* count))                                                                          \
  f(cuDeviceGet, "", 2000, (device_id * device, int ordinal))                                                          \
  f(cuDeviceGetName, "", 2000, (char* name, int size, device_id device))                                               \
  f(cuDeviceTotalMem, "_v2", 3020, (std::size_t * bytes, device_id device))                                            \
  f(cuDeviceGetAttribute, "", 2000, (int* value, device_attribute attribute, device_id device))                        \
  f(cuDevicePrimaryCtxRetain, "", 7000, (context_handle * context, device_id device))                                  \
  f(cuDevicePrimaryCtxRelease, "_v2", 11000, (device_id device))                                                       \
  f(cuDevicePrimaryCtxReset, "_v2", 11000, (device_id device))                                                         \
  f(cuCtxCreate, "_v2", 3020, (context_handle * context, unsigned flags, device_id device))                            \
  f(cuCtxDestroy, "_v2", 4000, (context_handle context))                                                               \
  f(cuCtxSetCurrent, "", 4000, (context_handle context))                                                               \
  f(cuCtxGetCurrent, "", 4000, (context_handle * context))                                                             \
  f(cuCtxGetDevice, "", 2000, (device_id * device))                                                                    \
  f(cuCtxSynchronize, "", 2000, ())                                                                                    \
  f(cuModuleLoadDataEx, "", 2010,                                                                                      \
    (module_handle * module, const void* image, unsigned count, jit_option* options, void** values))                   \
  f(cuModuleUnload, "", 2000, (module_handle module))                                                                  \
  f(cuModuleGetFunction, "", 2000, (function_handle * function, module_handle module, const char* name))               \
  f(cuModuleGetGlobal, "_v2", 3020,                                                                                    \
    (device_address * address, std::size_t * bytes, module_handle module, const char* name))                           \
  f(cuFuncGetAttribute, "", 2020, (int* value, function_attribute attribute, function_handle function))                \
  f(cuFuncSetAttribute, "", 9000, (function_handle function, function_attribute attribute, int value))                 \
  f(cuOccupancyMaxActiveBlocksPerMultiprocessor, "", 6050,                                                             \
    (int* blocks, function_handle function, int block_threads, std::size_t dynamic_shared_bytes))                      \
  f(cuMemGetInfo, "_v2", 3020, (std::size_t * free_bytes, std::size_t * total_bytes))                                  \
  f(cuMemAlloc, "_v2", 3020, (device_address * address, std::size_t bytes))                                            \
  f(cuMemFree, "_v2", 3020, (device_address address))                                                                  \
  f(cuMemGetAddressRange, "_v2", 3020, (device_address * base, std::size_t * bytes, device_address address))           \
  f(cuMemAllocAsync, "", 11020, (device_address * address, std::size_t bytes, stream_handle stream))                   \
  f(cuMemFreeAsync, "", 11020, (device_address address, stream_handle stream))                                         \
  f(cuMemHostAlloc, "", 2020, (void** memory, std::size_t bytes, unsigned flags))                                      \
  f(cuMemFreeHost, "", 2000, (void* memory))                                                                           \
  f(cuMemcpyHtoD, "_v2", 3020, (device_address to, const void* from, std::size_t bytes))                               \
  f(cuMemcpyDtoH, "_v2", 3020, (void* to, device_address from, std::size_t bytes))                                     \
  f(cuMemcpyDtoD, "_v2", 3020, (device_address to, device_address from, std::size_t bytes))                            \
  f(cuMemcpyHtoDAsync, "_v2", 3020,                                                                                    \
    (device_address to, const void* from, std::size_t bytes, stream_handle stream))                                    \
  f(cuMemcpyDtoHAsync, "_v2", 3020, (void* to, device_address from, std::size_t bytes, stream_handle stream))          \
  f(cuMemcpyDtoDAsync, "_v2", 3020,                                                                                    \
    (device_address to, device_address from, std::size_t bytes, stream_handle stream))                                 \
  f(cuMemsetD8, "_v2", 3020, (device_address to, unsigned char value, std::size_t count))                              \
  f(cuMemsetD32, "_v2", 3020, (device_address to, unsigned value, std::size_t count))                                  \
  f(cuMemsetD8Async, "", 3020, (device_address to, unsigned char value, std::size_t count, stream_handle stream))      \
  f(cuMemsetD32Async, "", 3020, (device_address to, unsigned value, std::size_t count, stream_handle stream))          \
  f(cuStreamCreate, "", 2000, (stream_handle * stream, stream_flag flags))                                             \
  f(cuStreamCreateWithPriority, "", 5050, (stream_handle * stream, stream_flag flags, int priority))                   \
  f(cuStreamDestroy, "_v2", 4000, (stream_handle stream))                                                              \
  f(cuStreamSynchronize, "", 2000, (stream_handle stream))                                                             \
  f(cuStreamQuery, "", 2000, (stream_handle stream))                                                                   \
  f(cuStreamWaitEvent, "", 3020, (stream_handle stream, event_handle event, unsigned flags))                           \
  f(cuStreamBeginCapture, "_v2", 10010, (stream_handle stream, capture_mode mode))                                     \
  f(cuStreamEndCapture, "", 10000, (stream_handle stream, graph_handle * graph))                                       \
  f(cuStreamIsCapturing, "", 10000, (stream_handle stream, capture_status * status))                                   \
  f(cuEventCreate, "", 2000, (event_handle * event, event_flag flags))                                                 \
  f(cuEventDestroy, "_v2", 4000, (event_handle event))                                                                 \
  f(cuEventRecord, "", 2000, (event_handle event, stream_handle stream))                                               \
  f(cuEventSynchronize, "", 2000, (event_handle event))                                                                \
  f(cuEventQuery, "", 2000, (event_handle event))                                                                      \
  f(cuEventElapsedTime, "", 2000, (float* milliseconds, event_handle start, event_handle end))                         \
  f(cuLaunchKernel, "", 4000,                                                                                          \
    (function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,  \
     unsigned block_z, unsigned shared_bytes, stream_handle stream, void** parameters, void** extra))                  \
  f(cuLinkCreate, "_v2", 6050, (unsigned count, jit_option* options, void** values, link_handle* link))                \
  f(cuLinkAddData, "_v2", 6050,                                                                                        \
    (link_handle link, jit_input type, void* data, std::size_t bytes, const char* name, unsigned count,                \
     jit_option* options, void** values))                                                                              \
  f(cuLinkComplete, "", 5050, (link_handle link, void** cubin, std::size_t* bytes))                                    \
  f(cuLinkDestroy, "", 5050, (link_handle link))                                                                       \
  f(cuGraphGetNodes, "", 10000, (graph_handle graph, graph_node_handle * nodes, std::size_t * count))                  \
  f(cuGraphInstantiateWithFlags, "", 11040, (graph_exec_handle * exec, graph_handle graph, unsigned long long flags))  \
  f(cuGraphLaunch, "", 10000, (graph_exec_handle exec, stream_handle stream))                                          \
  f(cuGraphExecDestroy, "", 10000, (graph_exec_handle exec))                                                           \
  f(cuGraphDestroy, "", 10000, (graph_handle graph))

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
template <class Table, class F>
constexpr void for_each_function(Table& api, F f) {
  std::size_t i = 0;
#define TG_DRIVER_VISIT(name, suffix, since, parameters) f(symbols[i++], api.name);
  TG_DRIVER_FUNCTIONS(TG_DRIVER_VISIT)
#undef TG_DRIVER_VISIT
}

#undef TG_DRIVER_FUNCTIONS

static_assert(sizeof(table) == (symbols.size() + 1) * sizeof(void (*)()));

}  // namespace tg::driver
