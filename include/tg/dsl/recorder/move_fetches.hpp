// Moves what a producer is to fetch from where it was recorded, among the statements of the other threads, to the producer.
//
//   <if> tid < 256                      <if> tid < 256
//     row = ctaid * 128                   row = ctaid * 128
//     <if> fetches ... <endif>            consume
//     consume                    ->     <else>
//   <else>                                row' = ctaid * 128
//     give back registers                 <if> fetches ... <endif>
//   <endif>                             <endif>
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/require_written.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// The fetches of one recorded function. What they read and the other threads computed is computed again in front of them.
class fetch_mover {
 public:
  fetch_mover(const ptx::module& m, ptx::function& f, const producer_part& part)
      : module_(m), f_(f), again_(f.registers.size(), ptx::no_index) {
    const auto is_branch_on = [&](std::size_t n, const ptx::operand& condition) {
      return f.body[n].op == ptx::opcode::if_ && f.body[n][0].id == condition.id;
    };
    while (!is_branch_on(branch_, part.consumes)) ++branch_;
    for (std::size_t n = branch_; n < f.body.size(); ++n)
      if (is_branch_on(n, part.fetches)) fetches_.push_back({n, end_of(n)});
  }

  /// Errors: TG612 for what the producer cannot compute.
  void operator()() {
    for (const range& fetch : fetches_) take(fetch);
    dynamic_array<ptx::instruction> rest;
    std::size_t next = 0;
    for (const range& fetch : fetches_) {
      rest.insert(rest.end(), f_.body.begin() + next, f_.body.begin() + fetch.begin);
      next = fetch.end + 1;
    }
    const std::size_t last = end_of(branch_);
    rest.insert(rest.end(), f_.body.begin() + next, f_.body.begin() + last);
    rest.insert(rest.end(), moved_.begin(), moved_.end());
    rest.insert(rest.end(), f_.body.begin() + last, f_.body.end());
    f_.body = std::move(rest);
  }

 private:
  struct range { std::size_t begin, end; };

  /// The end of the branch that begins at `branch`.
  std::size_t end_of(std::size_t branch) const {
    std::size_t n = branch;
    for (int open = 1; open > 0;) {
      const ptx::opcode op = f_.body[++n].op;
      open += (op == ptx::opcode::if_ || op == ptx::opcode::loop) - (op == ptx::opcode::endif || op == ptx::opcode::endloop);
    }
    return n;
  }

  void take(const range& fetch) {
    dynamic_array<std::uint8_t> is_own(f_.registers.size());
    for (std::size_t n = fetch.begin; n <= fetch.end; ++n)
      ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) { is_own[r] = 1; });
    for (std::size_t n = fetch.begin; n <= fetch.end; ++n) {
      const ptx::location use = f_.body[n].where;
      ptx::for_each_read(f_, f_.body[n], [&](std::uint32_t r) {
        if (is_own[r] == 0) compute_again(r, fetch.begin, use);
      });
    }
    for (std::size_t n = fetch.begin; n <= fetch.end; ++n) moved_.push_back(renamed(f_.body[n]));
  }

  /// Puts what made a register between the branch and `before` behind what is moved, with registers of its own.
  void compute_again(std::uint32_t reg, std::size_t before, ptx::location use) {
    if (again_[reg] != ptx::no_index) return;
    const ptx::instruction* made = nullptr;
    for (std::size_t n = branch_ + 1; n < before; ++n) {
      bool writes = false;
      ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) { writes = writes || r == reg; });
      if (!writes) continue;
      if (made != nullptr) refuse(f_.body[n].where, "is assigned more than once", use);
      made = &f_.body[n];
    }
    if (made == nullptr) return;  // all threads have it
    const ptx::instruction own = *made;
    if (own.is_guarded() || ptx::effect_of(own) > ptx::effect::reads_constant)
      refuse(own.where, "comes from other threads, or from memory that a kernel may write", use);
    ptx::for_each_source(f_, own, [&](std::uint32_t r) { compute_again(r, before, use); });
    ptx::for_each_written(f_, own, [&](std::uint32_t r) { again_[r] = f_.new_register(f_.registers[r].type); });
    moved_.push_back(renamed(own));
  }

  ptx::instruction renamed(ptx::instruction i) {
    const auto rename = [&](ptx::operand& o) {
      if (o.uses_reg() && o.id < again_.size() && again_[o.id] != ptx::no_index) o.id = again_[o.id];
    };
    for (ptx::operand& o : i.operands()) {
      rename(o);
      if (!o.is(ptx::operand_kind::vector) && !o.is(ptx::operand_kind::pair)) continue;
      const auto parts = f_.parts(o);
      dynamic_array<ptx::operand> own(parts.begin(), parts.end());
      for (ptx::operand& part : own) rename(part);
      const ptx::operand vector = f_.new_vector({own.data(), own.size()});
      o.id = vector.id;
    }
    return i;
  }

  [[noreturn]] void refuse(ptx::location made, const char* why, ptx::location use) const {
    throw error(code{612},
                "the producer cannot fetch for this pipeline: what is made at " + place_text(module_, made) + ' ' + why,
                "compute what the stages hold from parameters, numbers of the block and views that are only read, or leave out "
                "tg::producer",
                module_.files[use.file], static_cast<int>(use.line));
  }

  const ptx::module& module_;
  ptx::function& f_;
  std::size_t branch_ = 0;              // between consumers and producer
  dynamic_array<std::uint32_t> again_;  // of each register: that which the producer has in its place
  dynamic_array<range> fetches_;
  dynamic_array<ptx::instruction> moved_;
};

/// Errors: TG612.
inline void move_fetches(const ptx::module& m, ptx::function& f, const producer_part& part) { fetch_mover(m, f, part)(); }

}  // namespace tg::detail
