// Runs a random kernel on the emulator and compares what it leaves in memory with the host's.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tg/emulator/run/run.hpp>

#include "host.hpp"
#include "record.hpp"

namespace judge {

/// What a launch on the emulator leaves.
struct emulated {
  std::vector<std::vector<std::uint8_t>> memory;
  tg::dynamic_array<tg::emulator::check::finding> findings;
  tg::emulator::counters counters;
  std::string error;  // what it was ended with
};

inline tg::emulator::launch_shape shape_of(const kernel& k, const launch& l) {
  const auto& s = shapes[static_cast<std::size_t>(k.shape)];
  const auto extent = [](int n) { return static_cast<std::uint32_t>(n); };
  return {{l.grid[0], l.grid[1], l.grid[2]}, {extent(s[0]), extent(s[1]), extent(s[2])}};
}

/// Runs the text of `k`.
inline emulated emulate(const kernel& k, const launch& l, const std::string& ptx, tg::emulator::options how = {}) {
  static tg::emulator::memory memory(std::size_t{1} << 26);
  emulated out;
  std::vector<std::byte> arguments;
  const auto argument = [&](bits n, int bytes) {
    arguments.resize((arguments.size() + static_cast<std::size_t>(bytes) - 1) / static_cast<std::size_t>(bytes) *
                     static_cast<std::size_t>(bytes));
    arguments.resize(arguments.size() + static_cast<std::size_t>(bytes));
    std::memcpy(arguments.data() + arguments.size() - bytes, &n, static_cast<std::size_t>(bytes));
  };
  std::vector<std::uint64_t> places(k.objects.size());
  for (std::size_t n = 0; n < k.objects.size(); ++n) {
    out.memory.emplace_back();
    if (k.objects[n].what == object::kind::tile) continue;
    out.memory[n] = first_contents(k, static_cast<int>(n), l);
    places[n] = memory.allocate(out.memory[n].size());
    std::memcpy(memory.at(places[n], out.memory[n].size()), out.memory[n].data(), out.memory[n].size());
    argument(places[n], 8);
  }
  for (std::size_t n = 0; n < k.scalars.size(); ++n) argument(l.scalars[n] & mask_of(k.scalars[n]), bytes_of(k.scalars[n]));
  how.findings = &out.findings;
  how.threads = 1;
  try {
    const auto loaded = tg::emulator::program::load(ptx, memory);
    tg::emulator::run(memory, *loaded, 0, shape_of(k, l), arguments, how, &out.counters);
  } catch (const tg::error& e) { out.error = e.what(); }
  for (std::size_t n = 0; n < k.objects.size(); ++n)
    if (k.objects[n].what != object::kind::tile) {
      std::memcpy(out.memory[n].data(), memory.at(places[n], out.memory[n].size()), out.memory[n].size());
      memory.release(places[n]);
    }
  return out;
}

/// The first element in which two runs differ; empty when there is none. All NaNs are alike.
inline std::string difference(const kernel& k, const std::vector<std::vector<std::uint8_t>>& expected,
                              const std::vector<std::vector<std::uint8_t>>& found) {
  for (std::size_t n = 0; n < k.objects.size(); ++n) {
    if (k.objects[n].what == object::kind::tile || expected[n] == found[n]) continue;
    const type t = k.objects[n].of;
    const auto bytes = static_cast<std::size_t>(bytes_of(t));
    for (std::size_t at = 0; at < expected[n].size(); at += bytes) {
      bits a = 0, b = 0;
      std::memcpy(&a, expected[n].data() + at, bytes);
      std::memcpy(&b, found[n].data() + at, bytes);
      if (a == b || (is_float(t) && std::isnan(to_double(t, a)) && std::isnan(to_double(t, b)))) continue;
      return "element " + std::to_string(at / bytes) + " of parameter " + std::to_string(n) + " is " + tg::emulator::hex(b) +
             " on the device, " + tg::emulator::hex(a) + " on the host";
    }
  }
  return "";
}

}  // namespace judge
