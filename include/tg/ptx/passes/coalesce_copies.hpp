// Variables are read and written in place: `mov t, v; add u, t, 1; mov v, u` becomes `add v, v, 1`.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>
#include <tg/ptx/passes/versions.hpp>

namespace tg::ptx {

namespace detail {

// Forward: a value that a variable still holds is read from the variable.
inline void read_variables(function& f) {
  const std::vector<register_use> uses = count_uses(f);
  versions version(f, uses);
  struct copy {
    std::uint32_t variable = no_index;
    std::uint32_t version = 0;
  };
  std::vector<copy> held_by(uses.size());
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    instruction& i = f.body[n];
    for_each_read(f, i, [&](std::uint32_t& r) {
      const copy& c = held_by[r];
      if (c.variable != no_index && version[c.variable] == c.version && can_replace(f, r, c.variable)) r = c.variable;
    });
    version.pass(n);
    if (!is_copy(i) || !i[1].is_reg() || i[1].negated) continue;
    const std::uint32_t to = i[0].id, from = i[1].id;
    if (uses[to].is_value() && !uses[from].is_value()) held_by[to] = {from, version[from]};
    if (!uses[to].is_value() && uses[from].is_value()) held_by[from] = {to, version[to]};
  }
}

// Backward: a value that is only moved into a variable is computed there, if nobody looks at the variable in between.
inline void write_variables(function& f) {
  const std::vector<register_use> uses = count_uses(f);
  std::vector<std::uint32_t> last_access(uses.size());
  std::vector<std::uint32_t> reads_so_far(uses.size());
  std::vector<std::uint32_t> renamed(uses.size(), no_index);
  std::uint32_t block_start = 0;
  bool any = false;
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    instruction& i = f.body[n];
    if (is_marker(i.op)) block_start = n + 1;
    if (is_copy(i) && i[1].is_reg() && i[0].id == i[1].id) i = {};
    for_each_read(f, i, [&](std::uint32_t r) { ++reads_so_far[r]; });
    if (is_copy(i) && i[1].is_reg() && !i[1].negated) {
      const std::uint32_t to = i[0].id, from = i[1].id;
      const register_use& source = uses[from];
      if (!uses[to].is_value() && source.is_value() && source.definition >= block_start && can_replace(f, to, from) &&
          !f.body[source.definition].is_guarded() && f.body[source.definition].op != opcode::none &&
          last_access[to] <= source.definition && reads_so_far[from] == source.reads) {
        renamed[from] = to;
        i = {};
        any = true;
        last_access[to] = n;
        continue;
      }
    }
    for_each_read(f, i, [&](std::uint32_t r) { last_access[r] = n; });
    for_each_written(f, i, [&](std::uint32_t r) { last_access[r] = n; });
  }
  if (any) {
    for (instruction& i : f.body) {
      const auto rename = [&](std::uint32_t& r) {
        if (renamed[r] != no_index) r = renamed[r];
      };
      for_each_written(f, i, rename);
      for_each_read(f, i, rename);
    }
  }
  drop_empty(f);
}

}  // namespace detail

/// Takes out the copies between variables and the values computed from and for them.
inline void coalesce_copies(function& f) {
  detail::read_variables(f);
  detail::write_variables(f);
}

}  // namespace tg::ptx
