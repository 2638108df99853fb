// A value that a branch makes does not leave it: behind the branch its register may hold anything.
#pragma once

#include <string>

#include <tg/base/error.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/verify/unwritten_read.hpp>

namespace tg::detail {

inline std::string place_text(const ptx::module& m, const ptx::location& where) {
  const std::string& path = m.files[where.file];
  return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(where.line);
}

/// Errors: TG315 for a recorded function that reads a register which is not written on every path, with the lines of
/// definition and use.
inline void require_written(const ptx::module& m, const ptx::function& f) {
  const ptx::unwritten_read found = ptx::find_unwritten_read(f);
  if (!found.is_found()) [[likely]]
    return;
  const ptx::location use = f.body[found.use].where;
  if (found.definition == ptx::no_index)
    throw error(code{315}, "a variable is read that was never assigned",
                "give it a number where it is declared: tg::var<float> s = 0.0f;", m.files[use.file],
                static_cast<int>(use.line));
  const std::string message = "a device value is used where not every path has made it: it is made in a branch at " +
                              place_text(m, f.body[found.definition].where) + ", which does not always run";
  throw error(code{315}, message,
              "declare a tg::var in front of the branch with a number for where it does not run (tg::var<float> s = 0.0f;), "
              "assign it inside and read it behind; or assign it on every path",
              m.files[use.file], static_cast<int>(use.line));
}

}  // namespace tg::detail
