// Every code that the library reports, from the tables of its headers.
#pragma once

#include <string>
#include <vector>

#include <tg/array/codes.hpp>
#include <tg/driver/codes.hpp>
#include <tg/dsl/codes.hpp>
#include <tg/emulator/codes.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/runtime/codes.hpp>
#include <tg/tile/codes.hpp>

namespace house {

/// All rows, by their number.
inline std::vector<tg::code_info> all_codes() {
  std::vector<tg::code_info> out;
  const auto append = [&](const auto& table) { out.insert(out.end(), table.begin(), table.end()); };
  append(tg::language_codes);
  append(tg::analysis_codes);
  append(tg::ptx::codes);
  append(tg::emulator::codes);
  append(tg::driver::codes);
  append(tg::runtime::codes);
  append(tg::tile_codes);
  append(tg::array_codes);
  return out;
}

inline std::string name_of(const tg::code_info& info) { return "TG" + std::to_string(info.number); }

}  // namespace house
