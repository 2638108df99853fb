// Which calls of the driver a capture forbids.
#pragma once

#include <tg/runtime/capture_rule.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <tg/base/config.hpp>

namespace tg::runtime {

namespace detail {

inline constexpr std::string_view unsafe_calls[] = {"cuMemAlloc",
                                                    "cuMemFree",
                                                    "cuMemAllocManaged",
                                                    "cuMemHostAlloc",
                                                    "cuMemFreeHost",
                                                    "cuMemHostRegister",
                                                    "cuMemHostUnregister",
                                                    "cuMemCreate",
                                                    "cuMemRelease",
                                                    "cuMemMap",
                                                    "cuMemUnmap",
                                                    "cuMemSetAccess",
                                                    "cuMemAddressReserve",
                                                    "cuMemAddressFree",
                                                    "cuMemPoolCreate",
                                                    "cuMemPoolDestroy",
                                                    "cuMemPoolTrimTo",
                                                    "cuModuleLoadDataEx",
                                                    "cuModuleUnload",
                                                    "cuModuleGetFunction",
                                                    "cuModuleGetGlobal",
                                                    "cuLinkComplete",
                                                    "cuCtxEnablePeerAccess",
                                                    "cuCtxDisablePeerAccess",
                                                    "cuCtxSetLimit",
                                                    "cuCtxSynchronize",
                                                    "cuStreamSynchronize",
                                                    "cuStreamQuery",
                                                    "cuEventSynchronize",
                                                    "cuEventQuery",
                                                    "cuGraphInstantiateWithFlags",
                                                    "cuGraphExecDestroy"};

inline constexpr std::string_view legacy_calls[] = {"cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpyDtoD", "cuMemcpyPeer",
                                                    "cuMemsetD8",   "cuMemsetD16",  "cuMemsetD32"};

inline constexpr auto capture_rules = [] {
  std::array<capture_rule, driver::symbols.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const std::string_view name : unsafe_calls)
      if (name == driver::symbols[i].name) out[i] = capture_rule::unsafe;
    for (const std::string_view name : legacy_calls)
      if (name == driver::symbols[i].name) out[i] = capture_rule::legacy;
  }
  return out;
}();

static_assert(std::count(capture_rules.begin(), capture_rules.end(), capture_rule::none) + std::ssize(unsafe_calls) +
                      std::ssize(legacy_calls) ==
                  std::ssize(capture_rules),
              "a call that a capture forbids is misspelt, or named twice");

}  // namespace detail

TG_LIBRARY_FUNCTION capture_rule rule_of_member(std::size_t member) {
  return member < detail::capture_rules.size() ? detail::capture_rules[member] : capture_rule::none;
}

}  // namespace tg::runtime
