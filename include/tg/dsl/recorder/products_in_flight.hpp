// Registers of products of a warp group, from the product to the wait for it: nobody else may read or write them.
//
// A group of products that is committed is over when a wait leaves fewer groups under way than were committed since. Where
// ways meet, a register is in flight if it is on one of them; loops are followed until nothing changes.
//
// Source: PTX ISA 9.0, "wgmma.mma_async", "wgmma.fence".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/require_written.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// Follows a recorded function.
class products_in_flight {
 public:
  products_in_flight(const ptx::module& m, const ptx::function& f) : module_(m), f_(f), now_(f.registers.size()) {}

  /// Errors: TG152 for an instruction that touches a register in flight, and for a product whose registers were written behind
  /// the last fence.
  void operator()() {
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const ptx::instruction& i = f_.body[n];
      if (ptx::is_marker(i.op)) n = pass_marker(n);
      else if (!ptx::has_trait(i.op, ptx::trait::deferred)) touch(n);
      else if (ptx::is_deferred_product(i)) multiply(n);
      else if (i.has(ptx::token::fence)) std::for_each(now_.begin(), now_.end(), [](place& p) { p.is_unfenced = false; });
      else order(i);
    }
  }

 private:
  static constexpr std::uint32_t landed = 0xffff;  // more groups than there are

  struct place {
    std::uint32_t newer = landed;  // groups committed since its product; 0: it is in none yet
    std::uint32_t product = 0;     // the last one
    bool is_sum = false;
    bool is_unfenced = false;  // written by something else behind the last fence

    bool is_in_flight() const { return newer != landed; }
  };
  using state = dynamic_array<place>;
  struct open {
    state before;
    std::uint32_t begin = 0;
    bool has_else = false;
  };

  // Returns: whether `to` has changed.
  static bool join(state& to, const state& from) {
    bool changed = false;
    for (std::size_t r = 0; r < to.size(); ++r) {
      if (from[r].newer < to[r].newer) to[r].newer = from[r].newer, to[r].product = from[r].product, changed = true;
      if (from[r].is_sum && !to[r].is_sum) to[r].is_sum = changed = true;
      if (from[r].is_unfenced && !to[r].is_unfenced) to[r].is_unfenced = changed = true;
    }
    return changed;
  }

  std::uint32_t pass_marker(std::uint32_t n) {
    switch (f_.body[n].op) {
      case ptx::opcode::if_:
      case ptx::opcode::loop: open_.push_back({now_, n}); break;
      case ptx::opcode::else_:
        open_.back().has_else = true;
        std::swap(open_.back().before, now_);
        break;
      case ptx::opcode::endif:
        join(now_, open_.back().before);
        open_.pop_back();
        break;
      case ptx::opcode::endloop:
        if (join(open_.back().before, now_)) {
          now_ = open_.back().before;
          return open_.back().begin;
        }
        open_.pop_back();
        break;
      default: break;
    }
    return n;
  }

  void touch(std::uint32_t n) {
    const ptx::instruction& i = f_.body[n];
    const auto refuse_in_flight = [&](std::uint32_t r) {
      if (now_[r].is_in_flight()) refuse(n, r, "touches");
    };
    ptx::for_each_read(f_, i, refuse_in_flight);
    ptx::for_each_written(f_, i, [&](std::uint32_t r) {
      refuse_in_flight(r);
      now_[r].is_unfenced = true;
    });
  }

  void multiply(std::uint32_t n) {
    const ptx::instruction& i = f_.body[n];
    for (const bool is_sum : {true, false})
      ptx::for_each_register(f_, i[is_sum ? 0 : 1], [&](std::uint32_t r) {
        if (!is_sum && !i[1].is(ptx::operand_kind::vector)) return;  // a descriptor is read at once
        place& p = now_[r];
        if (p.is_in_flight() && p.is_sum != is_sum) refuse(n, r, is_sum ? "adds to" : "multiplies by");
        if (p.is_unfenced)
          throw error(code{152}, "a register of this product was written behind the wgmma.fence in front of it",
                      "write registers of products in front of tg::wgmma, not within it", file(n), line(n));
        p = {.newer = 0, .product = n, .is_sum = is_sum};
      });
    for (std::size_t k = 1; k < 4; ++k)
      if (!i[k].is(ptx::operand_kind::vector))
        ptx::for_each_register(f_, i[k], [&](std::uint32_t r) {
          if (now_[r].is_in_flight()) refuse(n, r, "reads");
        });
  }

  // A commit, or a wait.
  void order(const ptx::instruction& i) {
    const bool commits = i.has(ptx::token::commit_group);
    const auto left = static_cast<std::uint32_t>(i.operand_count > 0 ? i[0].value : 0);
    for (place& p : now_) {
      if (!p.is_in_flight()) continue;
      if (commits) p.newer = std::min(p.newer + 1, landed - 1);
      else if (p.newer > left) p.newer = landed;
    }
  }

  const std::string& file(std::uint32_t n) const { return module_.files[f_.body[n].where.file]; }
  int line(std::uint32_t n) const { return static_cast<int>(f_.body[n].where.line); }

  [[noreturn]] void refuse(std::uint32_t n, std::uint32_t r, const char* how) const {
    throw error(code{152},
                std::string("this ") + how + " a register of the wgmma product at " +
                    place_text(module_, f_.body[now_[r].product].where) + ", which is still under way",
                "wait first, and go on with the sums that wait() returns", file(n), line(n));
  }

  const ptx::module& module_;
  const ptx::function& f_;
  state now_;
  dynamic_array<open> open_;
};

/// Errors: TG152.
inline void require_waited(const ptx::module& m, const ptx::function& f) {
  for (const ptx::instruction& i : f.body)
    if (ptx::has_trait(i.op, ptx::trait::deferred)) [[unlikely]]
      return products_in_flight(m, f)();
}

}  // namespace tg::detail
