// What one PTX text holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/isa_version.hpp>
#include <tg/ptx/ir/shared_tile.hpp>
#include <tg/ptx/ir/view_map.hpp>

namespace tg::ptx {

/// Functions and variables with the version and target they need.
struct module {
  isa_version version;
  int sm = 60;                              // .target sm_60
  std::string target_suffix;                // "a" or "f" of sm_90a
  dynamic_array<std::string> files = {""};  // 0 is "not known"
  dynamic_array<std::string> pragmas = {};  // of the whole module
  dynamic_array<variable> variables;
  dynamic_array<shared_tile> tiles = {};  // of the kernel's dynamic shared memory, in their order
  dynamic_array<view_map> maps = {};      // that the launch makes of views
  dynamic_array<function> functions;

  std::uint32_t to_file(std::string_view path) {
    for (std::size_t i = 0; i < files.size(); ++i)
      if (files[i] == path) return static_cast<std::uint32_t>(i);
    files.emplace_back(path);
    return static_cast<std::uint32_t>(files.size() - 1);
  }

  const function* find(std::string_view name) const {
    for (const function& f : functions)
      if (f.name == name) return &f;
    return nullptr;
  }

  friend bool operator==(const module&, const module&) = default;
};

/// For each function and each of its instructions the line of the PTX text, from 1.
using line_map = dynamic_array<dynamic_array<std::uint32_t>>;

}  // namespace tg::ptx
