// The functions of the emulated driver, put together.
#pragma once

#include <tg/emulator/driver_table/driver_table.hpp>

#include <tg/base/config.hpp>
#include <tg/driver/emulated.hpp>
#include <tg/emulator/driver_table/capture.hpp>
#include <tg/emulator/driver_table/copy.hpp>
#include <tg/emulator/driver_table/graph_exec.hpp>
#include <tg/emulator/driver_table/linker.hpp>
#include <tg/emulator/driver_table/pointer.hpp>
#include <tg/emulator/driver_table/tensor_map.hpp>
#include <tg/emulator/driver_table/virtual_memory.hpp>

namespace tg::emulator {

namespace entry {

inline void destroy(machine& m, context_handle context) {
  m.contexts.take(context);
  wait_for_all(m);
  for (const auto& c : dynamic_array(m.captures))
    if (c->owner == context) leave(m, c);
  m.executables.erase_owned_by(context);
  m.graphs.erase_owned_by(context);
  m.nodes.erase_owned_by(context);
  m.events.erase_owned_by(context);
  m.streams.erase_owned_by(context);
  m.links.erase_owned_by(context);
  m.functions.erase_owned_by(context);
  m.modules.erase_owned_by(context);
  report_leaks(m, context);
  std::erase_if(m.allocations, [&](const auto& entry) {
    if (entry.second.owner != context) return false;
    m.memory.release(entry.first);
    return true;
  });
}

inline std::optional<error> take_report() {
  std::optional<error> out;
  if (last_report) out.emplace(*last_report);
  last_report.reset();
  return out;
}

}  // namespace entry

namespace entry {

/// Before who looks at what launches left: errors stay for the call that waits.
inline void finish_asynchronous(machine& m) {
  while (m.is_async && !m.pending.empty())
    if (!go_on(m)) m.changed.wait(m.mutex);
}

}  // namespace entry

TG_LIBRARY_FUNCTION std::optional<error> last_report() { return entry::last_report; }

TG_LIBRARY_FUNCTION void set_launch_options(const options& o) {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  entry::finish_asynchronous(m);
  m.options = o;
  m.memory.track_writes(o.check.init);
}

TG_LIBRARY_FUNCTION options launch_options() {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  return m.options;
}

TG_LIBRARY_FUNCTION int show_devices(int count) {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  return entry::show_devices(m, count);
}

TG_LIBRARY_FUNCTION void run_streams_asynchronously(bool on, std::uint64_t seed) {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  entry::finish_asynchronous(m);
  m.is_async = on;
  m.async_state = seed;
}

TG_LIBRARY_FUNCTION dynamic_array<check::finding> take_findings() {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  entry::finish_asynchronous(m);
  return m.checks.take();
}

TG_LIBRARY_FUNCTION void count_launches(bool on) {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  m.is_counting = on;
}

TG_LIBRARY_FUNCTION counters counters_of_last_launch() {
  entry::machine& m = entry::the_machine();
  const std::lock_guard lock(m.mutex);
  entry::finish_asynchronous(m);
  return m.counted;
}

/// The emulator's functions by the driver's names.
TG_LIBRARY_FUNCTION const driver::table& driver_table() {
  static constexpr driver::table functions{
      .cuInit = entry::cuInit,
      .cuDriverGetVersion = entry::cuDriverGetVersion,
      .cuGetErrorName = entry::cuGetErrorName,
      .cuGetErrorString = entry::cuGetErrorString,
      .cuDeviceGetCount = entry::cuDeviceGetCount,
      .cuDeviceGet = entry::cuDeviceGet,
      .cuDeviceGetName = entry::cuDeviceGetName,
      .cuDeviceGetUuid = entry::cuDeviceGetUuid,
      .cuDeviceGetPCIBusId = entry::cuDeviceGetPCIBusId,
      .cuDeviceTotalMem = entry::cuDeviceTotalMem,
      .cuDeviceGetAttribute = entry::cuDeviceGetAttribute,
      .cuDeviceCanAccessPeer = entry::cuDeviceCanAccessPeer,
      .cuDeviceGetDefaultMemPool = entry::cuDeviceGetDefaultMemPool,
      .cuDevicePrimaryCtxRetain = entry::cuDevicePrimaryCtxRetain,
      .cuDevicePrimaryCtxRelease = entry::cuDevicePrimaryCtxRelease,
      .cuDevicePrimaryCtxReset = entry::cuDevicePrimaryCtxReset,
      .cuCtxCreate = entry::cuCtxCreate,
      .cuCtxDestroy = entry::cuCtxDestroy,
      .cuCtxSetCurrent = entry::cuCtxSetCurrent,
      .cuCtxGetCurrent = entry::cuCtxGetCurrent,
      .cuCtxGetDevice = entry::cuCtxGetDevice,
      .cuCtxSynchronize = entry::cuCtxSynchronize,
      .cuCtxGetLimit = entry::cuCtxGetLimit,
      .cuCtxSetLimit = entry::cuCtxSetLimit,
      .cuCtxGetStreamPriorityRange = entry::cuCtxGetStreamPriorityRange,
      .cuCtxEnablePeerAccess = entry::cuCtxEnablePeerAccess,
      .cuCtxDisablePeerAccess = entry::cuCtxDisablePeerAccess,
      .cuModuleLoadDataEx = entry::cuModuleLoadDataEx,
      .cuModuleUnload = entry::cuModuleUnload,
      .cuModuleGetFunction = entry::cuModuleGetFunction,
      .cuModuleGetGlobal = entry::cuModuleGetGlobal,
      .cuFuncGetAttribute = entry::cuFuncGetAttribute,
      .cuFuncSetAttribute = entry::cuFuncSetAttribute,
      .cuFuncGetName = entry::cuFuncGetName,
      .cuFuncGetModule = entry::cuFuncGetModule,
      .cuOccupancyMaxActiveBlocksPerMultiprocessor = entry::cuOccupancyMaxActiveBlocksPerMultiprocessor,
      .cuOccupancyMaxPotentialBlockSize = entry::cuOccupancyMaxPotentialBlockSize,
      .cuOccupancyAvailableDynamicSMemPerBlock = entry::cuOccupancyAvailableDynamicSMemPerBlock,
      .cuOccupancyMaxPotentialClusterSize = entry::cuOccupancyMaxPotentialClusterSize,
      .cuOccupancyMaxActiveClusters = entry::cuOccupancyMaxActiveClusters,
      .cuMemGetInfo = entry::cuMemGetInfo,
      .cuMemAlloc = entry::cuMemAlloc,
      .cuMemFree = entry::cuMemFree,
      .cuMemGetAddressRange = entry::cuMemGetAddressRange,
      .cuMemAllocAsync = entry::cuMemAllocAsync,
      .cuMemFreeAsync = entry::cuMemFreeAsync,
      .cuMemAllocFromPoolAsync = entry::cuMemAllocFromPoolAsync,
      .cuMemPoolCreate = entry::cuMemPoolCreate,
      .cuMemPoolDestroy = entry::cuMemPoolDestroy,
      .cuMemPoolTrimTo = entry::cuMemPoolTrimTo,
      .cuMemPoolGetAttribute = entry::cuMemPoolGetAttribute,
      .cuMemPoolSetAttribute = entry::cuMemPoolSetAttribute,
      .cuMemPoolSetAccess = entry::cuMemPoolSetAccess,
      .cuMemGetAllocationGranularity = entry::cuMemGetAllocationGranularity,
      .cuMemAddressReserve = entry::cuMemAddressReserve,
      .cuMemAddressFree = entry::cuMemAddressFree,
      .cuMemCreate = entry::cuMemCreate,
      .cuMemRelease = entry::cuMemRelease,
      .cuMemMap = entry::cuMemMap,
      .cuMemUnmap = entry::cuMemUnmap,
      .cuMemSetAccess = entry::cuMemSetAccess,
      .cuMemAllocManaged = entry::cuMemAllocManaged,
      .cuMemPrefetchAsync = entry::cuMemPrefetchAsync,
      .cuMemAdvise = entry::cuMemAdvise,
      .cuPointerGetAttribute = entry::cuPointerGetAttribute,
      .cuPointerGetAttributes = entry::cuPointerGetAttributes,
      .cuMemHostAlloc = entry::cuMemHostAlloc,
      .cuMemFreeHost = entry::cuMemFreeHost,
      .cuMemHostRegister = entry::cuMemHostRegister,
      .cuMemHostUnregister = entry::cuMemHostUnregister,
      .cuMemHostGetDevicePointer = entry::cuMemHostGetDevicePointer,
      .cuMemcpyHtoD = entry::cuMemcpyHtoD,
      .cuMemcpyDtoH = entry::cuMemcpyDtoH,
      .cuMemcpyDtoD = entry::cuMemcpyDtoD,
      .cuMemcpyHtoDAsync = entry::cuMemcpyHtoDAsync,
      .cuMemcpyDtoHAsync = entry::cuMemcpyDtoHAsync,
      .cuMemcpyDtoDAsync = entry::cuMemcpyDtoDAsync,
      .cuMemcpyPeer = entry::cuMemcpyPeer,
      .cuMemcpyPeerAsync = entry::cuMemcpyPeerAsync,
      .cuMemsetD8 = entry::cuMemsetD8,
      .cuMemsetD16 = entry::cuMemsetD16,
      .cuMemsetD32 = entry::cuMemsetD32,
      .cuMemsetD8Async = entry::cuMemsetD8Async,
      .cuMemsetD16Async = entry::cuMemsetD16Async,
      .cuMemsetD32Async = entry::cuMemsetD32Async,
      .cuMemsetD2D8Async = entry::cuMemsetD2D8Async,
      .cuMemsetD2D16Async = entry::cuMemsetD2D16Async,
      .cuMemsetD2D32Async = entry::cuMemsetD2D32Async,
      .cuStreamCreate = entry::cuStreamCreate,
      .cuStreamCreateWithPriority = entry::cuStreamCreateWithPriority,
      .cuStreamDestroy = entry::cuStreamDestroy,
      .cuStreamGetCtx = entry::cuStreamGetCtx,
      .cuStreamGetFlags = entry::cuStreamGetFlags,
      .cuStreamGetPriority = entry::cuStreamGetPriority,
      .cuStreamSynchronize = entry::cuStreamSynchronize,
      .cuStreamQuery = entry::cuStreamQuery,
      .cuStreamWaitEvent = entry::cuStreamWaitEvent,
      .cuStreamBeginCapture = entry::cuStreamBeginCapture,
      .cuStreamEndCapture = entry::cuStreamEndCapture,
      .cuStreamIsCapturing = entry::cuStreamIsCapturing,
      .cuThreadExchangeStreamCaptureMode = entry::cuThreadExchangeStreamCaptureMode,
      .cuEventCreate = entry::cuEventCreate,
      .cuEventDestroy = entry::cuEventDestroy,
      .cuEventRecord = entry::cuEventRecord,
      .cuEventSynchronize = entry::cuEventSynchronize,
      .cuEventQuery = entry::cuEventQuery,
      .cuEventElapsedTime = entry::cuEventElapsedTime,
      .cuLaunchKernel = entry::cuLaunchKernel,
      .cuLaunchKernelEx = entry::cuLaunchKernelEx,
      .cuLaunchHostFunc = entry::cuLaunchHostFunc,
      .cuTensorMapEncodeTiled = entry::cuTensorMapEncodeTiled,
      .cuTensorMapEncodeIm2col = entry::cuTensorMapEncodeIm2col,
      .cuLinkCreate = entry::cuLinkCreate,
      .cuLinkAddData = entry::cuLinkAddData,
      .cuLinkComplete = entry::cuLinkComplete,
      .cuLinkDestroy = entry::cuLinkDestroy,
      .cuGraphCreate = entry::cuGraphCreate,
      .cuGraphAddKernelNode = entry::cuGraphAddKernelNode_v2,
      .cuGraphAddMemcpyNode = entry::cuGraphAddMemcpyNode,
      .cuGraphAddMemsetNode = entry::cuGraphAddMemsetNode,
      .cuGraphAddHostNode = entry::cuGraphAddHostNode,
      .cuGraphAddEmptyNode = entry::cuGraphAddEmptyNode,
      .cuGraphAddChildGraphNode = entry::cuGraphAddChildGraphNode,
      .cuGraphNodeGetType = entry::cuGraphNodeGetType,
      .cuGraphKernelNodeGetParams = entry::cuGraphKernelNodeGetParams_v2,
      .cuGraphKernelNodeSetAttribute = entry::cuGraphKernelNodeSetAttribute,
      .cuGraphGetNodes = entry::cuGraphGetNodes,
      .cuGraphInstantiateWithFlags = entry::cuGraphInstantiateWithFlags,
      .cuGraphExecUpdate = entry::cuGraphExecUpdate_v2,
      .cuGraphExecKernelNodeSetParams = entry::cuGraphExecKernelNodeSetParams_v2,
      .cuGraphExecMemcpyNodeSetParams = entry::cuGraphExecMemcpyNodeSetParams,
      .cuGraphExecMemsetNodeSetParams = entry::cuGraphExecMemsetNodeSetParams,
      .cuGraphExecHostNodeSetParams = entry::cuGraphExecHostNodeSetParams,
      .cuGraphLaunch = entry::cuGraphLaunch,
      .cuGraphExecDestroy = entry::cuGraphExecDestroy,
      .cuGraphDestroy = entry::cuGraphDestroy,
      .take_report = entry::take_report,
  };
  return functions;
}

}  // namespace tg::emulator

// Found by programs that hold the emulator (driver/emulated.hpp); weak, as its declaration is.
extern "C" [[gnu::weak, gnu::used]] const tg::driver::table* tg_emulator_table() { return &tg::emulator::driver_table(); }
