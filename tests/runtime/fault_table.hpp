// A table of the driver's functions in which the n-th call fails, and which counts what is made and given back.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/driver/api.hpp>
#include <tg/driver/call.hpp>

namespace fault {

/// What the calls of all wrapped functions share; calls come from one thread.
struct state {
  int calls = 0;    // so far, of those that can fail
  int fail_at = 0;  // the number of the call that fails; 0: none
  tg::driver::result failure = tg::driver::result::out_of_memory;
  std::string failed;                     // the function that did
  std::map<std::string_view, int> alive;  // objects by kind
  std::map<std::string_view, int> all;    // calls by name, those that cannot fail too
  std::vector<std::string> surplus;       // things that were given back more often than made
};

inline state& now() {
  static state only;
  return only;
}

/// What making and giving back are called; `made` counts one more, `back` one less of a kind.
struct pair_of_calls { std::string_view made, back, kind; };

inline constexpr auto pairs = std::to_array<pair_of_calls>({
    {"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease", "context"},
    {"cuModuleLoadDataEx", "cuModuleUnload", "module"},
    {"cuMemAlloc", "cuMemFree", "memory"},
    {"cuMemAllocManaged", "cuMemFree", "memory"},
    {"cuMemAllocAsync", "cuMemFreeAsync", "stream memory"},
    {"cuMemHostAlloc", "cuMemFreeHost", "pinned memory"},
    {"cuMemHostRegister", "cuMemHostUnregister", "registered memory"},
    {"cuStreamCreateWithPriority", "cuStreamDestroy", "stream"},
    {"cuEventCreate", "cuEventDestroy", "event"},
    {"cuGraphCreate", "cuGraphDestroy", "graph"},
    {"cuStreamEndCapture", "cuGraphDestroy", "graph"},
    {"cuGraphInstantiateWithFlags", "cuGraphExecDestroy", "instantiated graph"},
    {"cuLinkCreate", "cuLinkDestroy", "link"},
    {"cuCtxEnablePeerAccess", "cuCtxDisablePeerAccess", "peer access"},
    {"cuMemAddressReserve", "cuMemAddressFree", "reservation"},
    {"cuMemCreate", "cuMemRelease", "physical memory"},
    {"cuMemMap", "cuMemUnmap", "mapping"},
});

inline void count(std::string_view name) {
  bool is_counted = false;
  for (const auto& p : pairs) {
    if (p.made == name) ++now().alive[p.kind];
    if (p.back == name && !is_counted) {
      is_counted = true;
      if (--now().alive[p.kind] < 0) now().surplus.emplace_back(name);
    }
  }
}

/// Calls that tell nothing but what they are asked, and those that destructors make: they must not fail by chance.
inline bool can_fail(std::string_view name) {
  if (name == "cuGetErrorName" || name == "cuGetErrorString") return false;
  for (const auto& p : pairs)
    if (p.back == name) return false;
  return true;
}

/// Stands in for every function of one type: the wrapped one of each place and what it is called.
template <class... P> struct wrapped {
  using function = tg::driver::result (*)(P...);
  static constexpr std::size_t most = 32;
  static inline std::array<function, most> real{};
  static inline std::array<std::string_view, most> names{};
  static inline std::size_t used = 0;

  template <std::size_t Place> static tg::driver::result call(P... values) {
    const std::string_view name = names[Place];
    ++now().all[name];
    if (can_fail(name) && ++now().calls == now().fail_at) {
      now().failed = name;
      return now().failure;
    }
    const tg::driver::result r = real[Place](values...);
    if (r == tg::driver::result::success) count(name);
    return r;
  }

  template <std::size_t... Place> static constexpr std::array<function, most> entries(std::index_sequence<Place...>) {
    return {call<Place>...};
  }

  static function wrap(function f, std::string_view name) {
    const std::size_t place = used++;
    real.at(place) = f;
    names.at(place) = name;
    return entries(std::make_index_sequence<most>{}).at(place);
  }
};

/// The table with every function wrapped; one for the process.
inline const tg::driver::table& wrapped_table(const tg::driver::table& api) {
  static const tg::driver::table made = [&] {
    tg::driver::table out = api;
    tg::driver::for_each_function(out, []<class... P>(const tg::driver::symbol& s, tg::driver::result (*& f)(P...)) {
      f = wrapped<P...>::wrap(f, s.name);
    });
    return out;
  }();
  return made;
}

/// What was made and not given back, or given back too often; empty when nothing.
inline std::string leftovers() {
  std::string out;
  for (const auto& [kind, number] : now().alive)
    if (number != 0) out += std::to_string(number) + " " + std::string(kind) + "; ";
  for (const auto& name : now().surplus) out += name + " too often; ";
  return out;
}

}  // namespace fault
