// What the emulated driver does for the checkers: the environment's wishes, and allocations that outlive their context.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <tg/emulator/driver_table/machine.hpp>
#include <tg/emulator/launch/leaks.hpp>

namespace tg::emulator::entry {

/// What kernels took with malloc and did not free.
inline void add_heap_leaks(const machine& m, std::string_view whose, dynamic_array<check::finding>& found) {
  if (m.memory.heap() == nullptr) return;
  for (const heap_block& b : m.memory.heap()->live()) found.push_back(check::leak(b.address, b.size_bytes, whose));
}

/// Reports what a context still owns.
inline void report_leaks(machine& m, driver::context_handle context) {
  if (!m.options.check.leak) return;
  dynamic_array<check::finding> found;
  for (const auto& [address, memory] : m.allocations)
    if (memory.owner == context) found.push_back(check::leak(address, m.memory.size_of(address), "its context"));
  add_heap_leaks(m, "the context", found);
  m.checks.add(found);
}

/// Devices that the emulator can show.
inline constexpr int most_devices = 9;

/// At the end of the process: what no context's end has reported. Leaks that nobody has asked for are said on stderr, if there
/// is no report: no launch was there to throw them.
inline void report_last_leaks() {
  machine& m = the_machine();
  if (m.options.check.leak) {
    dynamic_array<check::finding> found;
    for (const auto& [address, memory] : m.allocations)
      found.push_back(check::leak(address, m.memory.size_of(address), "the process"));
    add_heap_leaks(m, "the process", found);
    m.checks.add(found);
  }
  m.checks.say_leaks();
}

inline int show_devices(machine& m, int count) {
  int last_used = 0;
  for (std::size_t i = 0; i < m.devices.size(); ++i)
    if (m.devices[i].primary) last_used = static_cast<int>(i);
  m.devices.resize(static_cast<std::size_t>(std::clamp(count, last_used + 1, most_devices)));
  return static_cast<int>(m.devices.size());
}

/// TG_EMULATOR_STREAMS: `async`, in an order that follows from TG_EMULATOR_SEED, or `sync`. Errors: TG443.
inline void read_stream_order(machine& m) {
  const std::string_view wanted = check::detail::variable("TG_EMULATOR_STREAMS");
  if (wanted != "" && wanted != "sync" && wanted != "async")
    check::detail::refuse("TG_EMULATOR_STREAMS", wanted, "say sync or async");
  m.is_async = wanted == "async";
  m.async_state = m.options.seed;
}

/// Reads what the environment says. Returns: false after a word on standard error where it means nothing.
inline bool obey_environment(machine& m) {
  try {
    std::string path;
    check::read_environment(m.options, path);
    int devices = static_cast<int>(m.devices.size());
    check::detail::read_number("TG_EMULATOR_DEVICES", devices, 1, most_devices);
    show_devices(m, devices);
    read_stream_order(m);
    m.memory.track_writes(m.options.check.init);
    m.checks.report_to(std::move(path));
    std::atexit(report_last_leaks);
    if (const char* const file = std::getenv("TG_EMULATOR_COUNTERS"); file != nullptr && *file != '\0') {
      m.counters_file.write_to(file);
      std::atexit([] { the_machine().counters_file.write(); });
    }
    return true;
  } catch (const error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return false;
  }
}

}  // namespace tg::emulator::entry
