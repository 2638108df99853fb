// What a driver call returns, by its own name.
#pragma once

#include <array>
#include <string_view>

namespace tg::driver {

/// Result of a driver call; the numbers of `CUresult`. Source: CUDA Driver API 13.0, §6.1.
enum class result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  profiler_disabled = 5,
  profiler_not_initialized = 6,
  profiler_already_started = 7,
  profiler_already_stopped = 8,
  stub_library = 34,
  call_requires_newer_driver = 36,
  device_unavailable = 46,
  no_device = 100,
  invalid_device = 101,
  device_not_licensed = 102,
  invalid_image = 200,
  invalid_context = 201,
  context_already_current = 202,
  map_failed = 205,
  unmap_failed = 206,
  array_is_mapped = 207,
  already_mapped = 208,
  no_binary_for_gpu = 209,
  already_acquired = 210,
  not_mapped = 211,
  not_mapped_as_array = 212,
  not_mapped_as_pointer = 213,
  ecc_uncorrectable = 214,
  unsupported_limit = 215,
  context_already_in_use = 216,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  invalid_graphics_context = 219,
  nvlink_uncorrectable = 220,
  jit_compiler_not_found = 221,
  unsupported_ptx_version = 222,
  jit_compilation_disabled = 223,
  unsupported_exec_affinity = 224,
  unsupported_devside_sync = 225,
  contained = 226,
  invalid_source = 300,
  file_not_found = 301,
  shared_object_symbol_not_found = 302,
  shared_object_init_failed = 303,
  operating_system = 304,
  invalid_handle = 400,
  illegal_state = 401,
  lossy_query = 402,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  launch_incompatible_texturing = 703,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  primary_context_active = 708,
  context_is_destroyed = 709,
  assert_ = 710,
  too_many_peers = 711,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  tensor_memory_leak = 721,
  not_permitted = 800,
  not_supported = 801,
  system_not_ready = 802,
  system_driver_mismatch = 803,
  compat_not_supported_on_device = 804,
  mps_connection_failed = 805,
  mps_rpc_failure = 806,
  mps_server_not_ready = 807,
  mps_max_clients_reached = 808,
  mps_max_connections_reached = 809,
  mps_client_terminated = 810,
  cdp_not_supported = 811,
  cdp_version_mismatch = 812,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  stream_capture_wrong_thread = 908,
  timeout = 909,
  graph_exec_update_failure = 910,
  external_device = 911,
  invalid_cluster_size = 912,
  function_not_loaded = 913,
  invalid_resource_type = 914,
  invalid_resource_configuration = 915,
  key_rotation = 916,
  unknown = 999,
};

/// The driver's spelling of a result and what it means.
struct result_info {
  driver::result result;
  const char* name;
  const char* text;
};

/// Every result there is, in the order of the numbers.
inline constexpr auto results = std::to_array<result_info>({
    {result::success, "CUDA_SUCCESS", "no error"},
    {result::invalid_value, "CUDA_ERROR_INVALID_VALUE", "an argument is out of range or null"},
    {result::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "not enough memory"},
    {result::not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "cuInit has not been called"},
    {result::deinitialized, "CUDA_ERROR_DEINITIALIZED", "the driver is shutting down"},
    {result::profiler_disabled, "CUDA_ERROR_PROFILER_DISABLED", "profiling is disabled for this run"},
    {result::profiler_not_initialized, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", "the profiler is not initialised"},
    {result::profiler_already_started, "CUDA_ERROR_PROFILER_ALREADY_STARTED", "the profiler runs already"},
    {result::profiler_already_stopped, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", "the profiler has stopped already"},
    {result::stub_library, "CUDA_ERROR_STUB_LIBRARY", "the library opened is the toolkit's stub, not the driver"},
    {result::call_requires_newer_driver, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "the call needs a newer driver"},
    {result::device_unavailable, "CUDA_ERROR_DEVICE_UNAVAILABLE", "the device is in use or cannot be used now"},
    {result::no_device, "CUDA_ERROR_NO_DEVICE", "there is no CUDA device"},
    {result::invalid_device, "CUDA_ERROR_INVALID_DEVICE", "there is no device of this number"},
    {result::device_not_licensed, "CUDA_ERROR_DEVICE_NOT_LICENSED", "the device has no licence"},
    {result::invalid_image, "CUDA_ERROR_INVALID_IMAGE", "the module is neither PTX nor a binary for a GPU"},
    {result::invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "no context is current, or the one given is invalid"},
    {result::context_already_current, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "the context is current already"},
    {result::map_failed, "CUDA_ERROR_MAP_FAILED", "mapping memory failed"},
    {result::unmap_failed, "CUDA_ERROR_UNMAP_FAILED", "unmapping memory failed"},
    {result::array_is_mapped, "CUDA_ERROR_ARRAY_IS_MAPPED", "the array is mapped"},
    {result::already_mapped, "CUDA_ERROR_ALREADY_MAPPED", "the resource is mapped already"},
    {result::no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the module has no code for this device"},
    {result::already_acquired, "CUDA_ERROR_ALREADY_ACQUIRED", "the resource is acquired already"},
    {result::not_mapped, "CUDA_ERROR_NOT_MAPPED", "the resource is not mapped"},
    {result::not_mapped_as_array, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "the resource is not mapped as an array"},
    {result::not_mapped_as_pointer, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", "the resource is not mapped as a pointer"},
    {result::ecc_uncorrectable, "CUDA_ERROR_ECC_UNCORRECTABLE", "the memory has an error that ECC cannot correct"},
    {result::unsupported_limit, "CUDA_ERROR_UNSUPPORTED_LIMIT", "the device does not have this limit"},
    {result::context_already_in_use, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "another thread uses the context"},
    {result::peer_access_unsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "these devices cannot reach each other"},
    {result::invalid_ptx, "CUDA_ERROR_INVALID_PTX", "the PTX does not compile"},
    {result::invalid_graphics_context, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "the graphics context is invalid"},
    {result::nvlink_uncorrectable, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "NVLink has an error it cannot correct"},
    {result::jit_compiler_not_found, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "the driver's PTX compiler is not installed"},
    {result::unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the PTX is newer than the driver"},
    {result::jit_compilation_disabled, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "compiling PTX is disabled"},
    {result::unsupported_exec_affinity, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", "the device has no such affinity"},
    {result::unsupported_devside_sync, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", "the code synchronises on the device"},
    {result::contained, "CUDA_ERROR_CONTAINED", "a hardware error was contained; the process must end"},
    {result::invalid_source, "CUDA_ERROR_INVALID_SOURCE", "the device's source is invalid"},
    {result::file_not_found, "CUDA_ERROR_FILE_NOT_FOUND", "the file does not exist"},
    {result::shared_object_symbol_not_found, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "a shared library lacks a symbol"},
    {result::shared_object_init_failed, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "a shared library did not start"},
    {result::operating_system, "CUDA_ERROR_OPERATING_SYSTEM", "a call to the operating system failed"},
    {result::invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "the handle is stale or was never valid"},
    {result::illegal_state, "CUDA_ERROR_ILLEGAL_STATE", "the resource is in the wrong state"},
    {result::lossy_query, "CUDA_ERROR_LOSSY_QUERY", "the answer would lose information"},
    {result::not_found, "CUDA_ERROR_NOT_FOUND", "there is nothing of this name"},
    {result::not_ready, "CUDA_ERROR_NOT_READY", "the work is not finished"},
    {result::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel used an address outside its memory"},
    {result::launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "the block needs more registers, threads or shared memory than there are"},
    {result::launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "the kernel ran too long and was ended"},
    {result::launch_incompatible_texturing, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", "texture modes disagree"},
    {result::peer_access_already_enabled, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is on already"},
    {result::peer_access_not_enabled, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access is off"},
    {result::primary_context_active, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "the primary context is in use"},
    {result::context_is_destroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "the context has been destroyed"},
    {result::assert_, "CUDA_ERROR_ASSERT", "an assertion in a kernel failed"},
    {result::too_many_peers, "CUDA_ERROR_TOO_MANY_PEERS", "no more peers can be enabled"},
    {result::host_memory_already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "the host memory is registered already"},
    {result::host_memory_not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "the host memory is not registered"},
    {result::hardware_stack_error, "CUDA_ERROR_HARDWARE_STACK_ERROR", "a kernel's stack is corrupt or overflowed"},
    {result::illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "a kernel ran an illegal instruction"},
    {result::misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS", "a kernel used an address that is not aligned"},
    {result::invalid_address_space, "CUDA_ERROR_INVALID_ADDRESS_SPACE", "a kernel used an address of the wrong space"},
    {result::invalid_pc, "CUDA_ERROR_INVALID_PC", "a kernel jumped outside its code"},
    {result::launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "a kernel failed while it ran"},
    {result::cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "the grid of a cooperative launch does not fit on the device"},
    {result::tensor_memory_leak, "CUDA_ERROR_TENSOR_MEMORY_LEAK", "a block ended without freeing its tensor memory"},
    {result::not_permitted, "CUDA_ERROR_NOT_PERMITTED", "the operation is not permitted"},
    {result::not_supported, "CUDA_ERROR_NOT_SUPPORTED", "the operation is not supported here"},
    {result::system_not_ready, "CUDA_ERROR_SYSTEM_NOT_READY", "the system is not ready for CUDA"},
    {result::system_driver_mismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "kernel module and library differ"},
    {result::compat_not_supported_on_device, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "the compatibility package does not support this device"},
    {result::mps_connection_failed, "CUDA_ERROR_MPS_CONNECTION_FAILED", "no connection to the MPS daemon"},
    {result::mps_rpc_failure, "CUDA_ERROR_MPS_RPC_FAILURE", "the call to the MPS server failed"},
    {result::mps_server_not_ready, "CUDA_ERROR_MPS_SERVER_NOT_READY", "the MPS server is not ready"},
    {result::mps_max_clients_reached, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "MPS has no more clients"},
    {result::mps_max_connections_reached, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "MPS has no more connections"},
    {result::mps_client_terminated, "CUDA_ERROR_MPS_CLIENT_TERMINATED", "MPS ended this client"},
    {result::cdp_not_supported, "CUDA_ERROR_CDP_NOT_SUPPORTED", "the code launches kernels, which is not supported"},
    {result::cdp_version_mismatch, "CUDA_ERROR_CDP_VERSION_MISMATCH", "two versions of kernel launching are mixed"},
    {result::stream_capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "the call is not allowed while a stream is captured"},
    {result::stream_capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "an earlier error made the capture invalid"},
    {result::stream_capture_merge, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "two captures would be merged"},
    {result::stream_capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture began on another stream"},
    {result::stream_capture_unjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "a forked stream was not joined before the capture ended"},
    {result::stream_capture_isolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "a dependency would cross the edge of the capture"},
    {result::stream_capture_implicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "the call would depend on the legacy stream"},
    {result::captured_event, "CUDA_ERROR_CAPTURED_EVENT", "the event was recorded in a capture"},
    {result::stream_capture_wrong_thread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "another thread began the capture"},
    {result::timeout, "CUDA_ERROR_TIMEOUT", "the wait ended before the work did"},
    {result::graph_exec_update_failure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph differs too much to be updated"},
    {result::external_device, "CUDA_ERROR_EXTERNAL_DEVICE", "a device outside CUDA failed"},
    {result::invalid_cluster_size, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "the cluster size is not possible"},
    {result::function_not_loaded, "CUDA_ERROR_FUNCTION_NOT_LOADED", "the function is not loaded yet"},
    {result::invalid_resource_type, "CUDA_ERROR_INVALID_RESOURCE_TYPE", "the resource is of the wrong type"},
    {result::invalid_resource_configuration, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION",
     "the resources given do not go together"},
    {result::key_rotation, "CUDA_ERROR_KEY_ROTATION", "a key was changed and the call must wait"},
    {result::unknown, "CUDA_ERROR_UNKNOWN", "an unknown error"},
});

/// Name and text of a result; null for a number that is not in the list.
constexpr const result_info* find_result(result r) {
  for (const result_info& info : results)
    if (info.result == r) return &info;
  return nullptr;
}

/// An error that belongs to work launched earlier and that every later call on the context returns again.
constexpr bool is_sticky(result r) {
  switch (r) {
    case result::illegal_address:
    case result::launch_timeout:
    case result::assert_:
    case result::hardware_stack_error:
    case result::illegal_instruction:
    case result::misaligned_address:
    case result::invalid_address_space:
    case result::invalid_pc:
    case result::launch_failed:
    case result::tensor_memory_leak:
    case result::ecc_uncorrectable:
    case result::nvlink_uncorrectable:
    case result::contained:
    case result::mps_client_terminated:
    case result::external_device: return true;
    default: return false;
  }
}

}  // namespace tg::driver
