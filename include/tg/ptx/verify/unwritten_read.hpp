// Is each register of a structured function written on every path to where it is read?
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// A read of a register that some path reaches without a write.
struct unwritten_read {
  std::uint32_t reg = no_index;
  std::uint32_t use = no_index;         // the instruction that reads it; no_index: there is no such read
  std::uint32_t definition = no_index;  // an instruction that writes it elsewhere; no_index: none does

  bool is_found() const { return use != no_index; }
};

namespace detail {

// Walks the body once. `known_[r]`: every path to here has written r. `trail_` lists those of the open arms in their
// order, so that the end of an arm takes back what the arm wrote, unless the other arm wrote it too.
class unwritten_read_search {
 public:
  explicit unwritten_read_search(const function& f) : f_(f), known_(f.registers.size()) {}

  unwritten_read operator()() {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      std::uint8_t are_known = 1;
      for_each_needed(i, [&](std::uint32_t r) { are_known &= known_[r]; });
      if (are_known == 0) [[unlikely]]
        return unwritten_at(n);
      if (is_marker(i.op)) mark(i.op);
      else for_each_written(f_, i, [&](std::uint32_t r) { write(r); });
    }
    return {};
  }

 private:
  struct branch {
    std::size_t start = 0;  // of `trail_`, when the branch began
    bool has_else = false;
    dynamic_array<std::uint32_t> first = {};  // what the first of two arms wrote
  };

  // Sources, and sums to which a product is added.
  template <class Visit> void for_each_needed(const instruction& i, const Visit& visit) const {
    if (is_deferred_product(i)) for_each_read(f_, i, visit);
    else for_each_source(f_, i, visit);
  }

  void write(std::uint32_t r) {
    if (known_[r] != 0) return;
    known_[r] = 1;
    if (!branches_.empty()) trail_.push_back(r);
  }

  // A loop runs at least once, so that only branches are followed.
  void mark(opcode op) {
    if (op == opcode::if_) {
      branches_.push_back({trail_.size()});
    } else if (op == opcode::else_) {
      branch& own = branches_.back();
      own.has_else = true;
      own.first.assign(trail_.begin() + static_cast<std::ptrdiff_t>(own.start), trail_.end());
      forget(own.start);
    } else if (op == opcode::endif) {
      branch own = std::move(branches_.back());
      branches_.pop_back();
      if (own.has_else) tg::erase_if(own.first, [&](std::uint32_t r) { return known_[r] == 0; });
      forget(own.start);
      for (const std::uint32_t r : own.first) write(r);
    }
  }

  void forget(std::size_t length) {
    for (; trail_.size() > length; trail_.pop_back()) known_[trail_.back()] = 0;
  }

  unwritten_read unwritten_at(std::uint32_t n) const {
    std::uint32_t unknown = no_index;
    for_each_needed(f_.body[n], [&](std::uint32_t r) {
      if (known_[r] == 0) unknown = r;
    });
    return {unknown, n, writer_of(unknown)};
  }

  std::uint32_t writer_of(std::uint32_t reg) const {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      bool writes = false;
      for_each_written(f_, f_.body[n], [&](std::uint32_t r) { writes = writes || r == reg; });
      if (writes) return n;
    }
    return no_index;
  }

  const function& f_;
  dynamic_array<std::uint8_t> known_;
  dynamic_array<std::uint32_t> trail_;
  dynamic_array<branch> branches_;
};

}  // namespace detail

/// The first read of `f` that some path reaches without a write of its register. A loop runs at least once.
/// Requires: structured control flow, whose markers pair. Cost: one walk over the body.
inline unwritten_read find_unwritten_read(const function& f) { return detail::unwritten_read_search(f)(); }

}  // namespace tg::ptx
