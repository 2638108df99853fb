// Runs a random kernel on the emulator and compares it with the host.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <tg/emulator/run/run.hpp>

#include "evaluate.hpp"
#include "print.hpp"

namespace fuzz {

/// What is wrong with what the emulator makes of `text`, which is `p`'s; empty when nothing is.
inline std::string complaint_about(const program& p, const std::string& text, const tg::emulator::options& how = {}) {
  static tg::emulator::memory memory(std::size_t{1} << 26);
  std::vector<std::byte> expected = first_memory(p);
  const std::size_t bytes = expected.size();
  const std::uint64_t at = memory.allocate(bytes);
  std::memcpy(memory.at(at, bytes), expected.data(), bytes);
  std::string out;
  try {
    const auto program = tg::emulator::program::load(text, memory);
    tg::emulator::run(memory, *program, 0, {{2, 1, 1}, {p.block[0], p.block[1], p.block[2]}}, std::as_bytes(std::span(&at, 1)),
                      how);
    expected = evaluate(p);
    out = difference(p, {memory.at(at, bytes), bytes}, expected);
  } catch (const tg::error& e) { out = e.what(); }
  memory.release(at);
  return out;
}

}  // namespace fuzz
