// What the expressions of a random kernel are on the host, thread by thread.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "host_meetings.hpp"
#include "optional_names.hpp"

namespace judge {

/// Computes expressions, and what they load, store and ask other threads for.
class host_expressions : protected host_meetings {
 protected:
  using host_meetings::host_meetings;

  // Numbers.
  number of_optional(thread& t, const expr& e, bool is_optional) {
    const bool before = std::exchange(t.is_optional, t.is_optional || is_optional);
    const number out = of(t, e);
    t.is_optional = before;
    return out;
  }
  // The value of an operand that is computed in any case, with all that it needs.
  number of_needed(thread& t, const expr& e) {
    const bool before = std::exchange(t.is_optional, false);
    const number out = of(t, e);
    t.is_optional = before;
    return out;
  }

  number of(thread& t, const expr& e) {
    switch (e.what) {
      case op::literal:
        if (broken_ == plant::literals_are_negative && e.of == type::u32 && (e.number >> 31) != 0)
          return {e.number & 0x7fffffff};
        return {e.number};
      case op::scalar: return {launch_.scalars.at(static_cast<std::size_t>(e.index)) & mask_of(e.of)};
      case op::name: return named(t, e.index);
      case op::thread_x: return {t.at[0]};
      case op::thread_y: return {t.at[1]};
      case op::thread_z: return {t.at[2]};
      case op::block_x: return {block_at_[0]};
      case op::block_y: return {block_at_[1]};
      case op::block_z: return {block_at_[2]};
      case op::grid_x: return {launch_.grid[0]};
      case op::grid_y: return {launch_.grid[1]};
      case op::grid_z: return {launch_.grid[2]};
      case op::global_x:
        return {block_at_[0] * static_cast<std::uint32_t>(shapes[static_cast<std::size_t>(kernel_.shape)][0]) + t.at[0]};
      case op::thread_index: return {t.id};
      case op::lane: return {t.id % 32};
      case op::warp_index: return {t.id / 32};
      case op::load: return {read(t, e.index, e.in[0].of, of(t, e.in[0]), e.line)};
      case op::atomic_add:
      case op::atomic_max:
      case op::atomic_exchange: return {atomic(t, e)};
      case op::store_relaxed:
      case op::store_release: {
        const number at = of_needed(t, e.in[0]), x = of_needed(t, e.in[1]);
        write(t, e.index, e.in[0].of, at, x.n, e.line, true);
        return {};
      }
      case op::load_relaxed:
      case op::load_acquire: return {read(t, e.index, e.in[0].of, of_needed(t, e.in[0]), e.line, true)};
      default: break;
    }
    if (is_collective(e.what)) {
      t.own = of_needed(t, e.in[0]).n;
      t.argument = e.in.size() > 1 ? of_needed(t, e.in[1]).n : 0;
      t.collective = &e;
      wait(t, is_block_wide(e.what) ? waiting::barrier : waiting::warp, e.line);
      return {t.result};
    }
    std::array<number, 3> in{};
    for (std::size_t n = 0; n < e.in.size() && n < 3; ++n)
      in[n] = n > 0 && has_optional_operands(e) ? of_optional(t, e.in[n], !is_looked_at(e, n, in[0].n != 0)) : of(t, e.in[n]);
    if (broken_ == plant::last_term_is_lost && e.what == op::add && e.in[0].what == op::add) return in[0];
    if (broken_ == plant::casts_keep_all_bits && e.what == op::cast && is_integer(e.of) && is_integer(e.in[0].of) &&
        bytes_of(e.of) < bytes_of(e.in[0].of))
      return in[0];
    if (broken_ == plant::bands_are_one && e.what == op::rem && e.in[0].what == op::block_x) return {0};
    return arithmetic(e, in[0], in[1], in[2]);
  }

  static bool is_looked_at(const expr& e, std::size_t operand, bool first) {
    return e.what == op::select ? (operand == 1) == first : (e.what == op::logic_and) == first;
  }

  static number arithmetic(const expr& e, number x, number y, number z) {
    number out{computed(e, x.n, y.n, z.n), x.has_wrapped || y.has_wrapped || z.has_wrapped};
    if (e.of != type::u32 && e.of != type::s32 && e.of != type::u64 && e.of != type::s64) return out;
    __extension__ using wide = __int128;
    const auto value = [&](bits n) { return is_signed(e.of) ? static_cast<wide>(to_signed(e.of, n)) : static_cast<wide>(n); };
    switch (e.what) {
      case op::add: out.has_wrapped |= value(out.n) != value(x.n) + value(y.n); break;
      case op::sub: out.has_wrapped |= value(out.n) != value(x.n) - value(y.n); break;
      case op::mul: {
        wide product = 0;
        out.has_wrapped |= __builtin_mul_overflow(value(x.n), value(y.n), &product) || value(out.n) != product;
        break;
      }
      case op::negate: out.has_wrapped |= value(out.n) != -value(x.n); break;
      case op::shl: out.has_wrapped |= y.n >= 64 || (value(out.n) >> y.n) != value(x.n); break;
      case op::cast:
        if (is_integer(e.in[0].of)) {
          const wide before = is_signed(e.in[0].of) ? static_cast<wide>(to_signed(e.in[0].of, x.n)) : static_cast<wide>(x.n);
          // A cast says aloud that it cuts; what it makes of a number that has wrapped is data.
          if (bytes_of(e.of) < bytes_of(e.in[0].of)) out.has_wrapped = false;
          else out.has_wrapped |= value(out.n) != before;
        }
        break;
      default: break;
    }
    return out;
  }

  bits atomic(thread& t, const expr& e) {
    const number at = of_needed(t, e.in[0]), x = of_needed(t, e.in[1]);
    const std::int64_t where = log(t, e.index, e.in[0].of, at, e.line, true, true).offset;
    const bits old = peek(e.index, where);
    const op what = e.what == op::atomic_add ? op::add : op::max;
    poke(e.index, where, e.what == op::atomic_exchange ? x.n : computed(node(what, e.of), old, x.n));
    return old;
  }
};

}  // namespace judge
