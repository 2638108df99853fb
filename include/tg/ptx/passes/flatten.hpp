// Structured control flow becomes labels and branches.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Turns each `if_` into one branch over its body, an `else_` into one more, a `loop` into a label with one conditional
/// branch back. Places that fall together share a label, and a branch to a branch goes straight to the end. A loop whose
/// marker has a number was unrolled here or is to stay as it is: a hint keeps ptxas from unrolling it once more. Where a loop
/// ends with a branch whose condition is also what the loop goes on by, the jump over the branch leaves the loop, and the jump
/// back has no condition: what the branch ends with may then jump back itself.
void flatten(function& f);

namespace detail {

class flattening {
 public:
  explicit flattening(function& f) : f_(f) {}

  void run() {
    body_.reserve(f_.body.size() + 8);
    find_exits();
    for (std::size_t n = 0; n < f_.body.size(); ++n) {
      const instruction& i = f_.body[n];
      switch (i.op) {
        case opcode::none: break;
        case opcode::if_: open_.push_back(branch_unless(i, exit_of(n))); break;
        case opcode::else_: start_else(i); break;
        case opcode::endif:
          if (const std::uint32_t label = pop(); label != no_index) place(label, i.where);
          break;
        case opcode::loop: {
          const std::uint32_t start = new_label();
          place(start, i.where);
          if (i.operand_count == 1) kept_.push_back(start);
          open_.push_back(start);
          break;
        }
        case opcode::endloop: end_loop(i, exit_of(n)); break;
        default: body_.push_back(i); break;
      }
    }
    finish();
  }

 private:
  std::uint32_t new_label() {
    same_.push_back(static_cast<std::uint32_t>(same_.size()));
    return static_cast<std::uint32_t>(same_.size() - 1);
  }

  std::uint32_t pop() {
    const std::uint32_t label = open_.back();
    open_.pop_back();
    return label;
  }

  instruction& add(opcode op, location where, std::uint32_t label) {
    instruction& added = body_.emplace_back(op, std::initializer_list<token>{},
                                            std::initializer_list<operand>{operand::named(operand_kind::label, label)});
    added.where = where;
    return added;
  }

  void place(std::uint32_t label, location where) {
    if (!body_.empty() && body_.back().op == opcode::label) same_[label] = body_.back()[0].id;
    else add(opcode::label, where, label);
  }

  void start_else(const instruction& i) {
    if (!body_.empty() && is_jump(body_.back()) && body_.back().is_guarded() && body_.back()[0].id == open_.back()) {
      body_.back().guard_negated = !body_.back().guard_negated;  // there was nothing on the first side
      return;
    }
    const std::uint32_t end = new_label();
    add(opcode::bra, i.where, end);
    place(std::exchange(open_.back(), end), i.where);
  }

  // A loop that ends with a branch on the condition of the loop.
  struct exit {
    std::size_t branch = 0, end = 0;
    std::uint32_t label = no_index;
  };
  void find_exits() {
    dynamic_array<std::size_t> open;
    for (std::size_t n = 0; n < f_.body.size(); ++n) {
      const opcode op = f_.body[n].op;
      if (op == opcode::if_ || op == opcode::loop) open.push_back(n);
      if (op == opcode::else_) open.back() = n;
      if (op != opcode::endif && op != opcode::endloop) continue;
      const std::size_t begin = open.back();
      open.pop_back();
      std::size_t next = n + 1;
      while (next < f_.body.size() && f_.body[next].op == opcode::none) ++next;
      if (op == opcode::endif && next < f_.body.size() && goes_on_by(begin, next)) exits_.push_back({begin, next});
    }
  }
  // Whether the branch at `begin` has the condition of the loop that ends at `end`, which nothing in between changes.
  bool goes_on_by(std::size_t begin, std::size_t end) const {
    const instruction &branch = f_.body[begin], &last = f_.body[end];
    if (branch.op != opcode::if_ || last.op != opcode::endloop || !branch[0].is_reg() || !last[0].is_reg() ||
        branch[0].id != last[0].id || branch[0].negated != last[0].negated)
      return false;
    bool is_kept = true;
    for (std::size_t n = begin; n < end; ++n)
      for_each_written(f_, f_.body[n], [&](std::uint32_t r) { is_kept = is_kept && r != branch[0].id; });
    return is_kept;
  }
  // The label behind the loop that the branch or the end of a loop at `n` leaves; none where there is no such exit.
  std::uint32_t exit_of(std::size_t n) {
    for (exit& e : exits_) {
      if (e.branch != n && e.end != n) continue;
      if (e.label == no_index) e.label = new_label();
      return e.label;
    }
    return no_index;
  }

  void end_loop(const instruction& i, std::uint32_t left) {
    const std::uint32_t start = pop();
    if (left == no_index) return branch_back(i, start);
    add(opcode::bra, i.where, start);
    place(left, i.where);
  }

  // Returns: the label to be placed where the branch ends, or none.
  std::uint32_t branch_unless(const instruction& i, std::uint32_t left) {
    if (left != no_index) {
      instruction& branch = add(opcode::bra, i.where, left);
      branch.guard = i[0].id;
      branch.guard_negated = !i[0].negated;
      return no_index;
    }
    const std::uint32_t label = new_label();
    if (i[0].is_immediate() && (i[0].value != 0) != i[0].negated) return label;
    instruction& branch = add(opcode::bra, i.where, label);
    if (i[0].is_immediate()) return label;
    branch.guard = i[0].id;
    branch.guard_negated = !i[0].negated;
    return label;
  }

  void branch_back(const instruction& i, std::uint32_t label) {
    if (i[0].is_immediate() && (i[0].value != 0) == i[0].negated) return;
    instruction& branch = add(opcode::bra, i.where, label);
    if (i[0].is_immediate()) return;
    branch.guard = i[0].id;
    branch.guard_negated = i[0].negated;
  }

  std::uint32_t target(std::uint32_t label) const {
    while (same_[label] != label) label = same_[label];
    return label;
  }

  void finish() {
    if (body_.empty() || !ends(body_.back()))
      body_.emplace_back(opcode::ret, std::initializer_list<token>{}, std::initializer_list<operand>{});
    resolve();
    thread_jumps();
    drop_unused_labels();
    f_.body = std::move(body_);
  }

  static bool ends(const instruction& i) {
    return !i.is_guarded() && (i.op == opcode::ret || i.op == opcode::exit || has_trait(i.op, trait::branch));
  }

  static bool is_jump(const instruction& i) { return has_trait(i.op, trait::branch) && i.operand_count == 1; }

  void resolve() {
    for (instruction& i : body_)
      if (is_jump(i)) i[0].id = target(i[0].id);
  }

  // A label in front of an unconditional branch stands for where that goes.
  void thread_jumps() {
    for (std::size_t n = body_.size(); n-- > 1;)
      if (is_jump(body_[n]) && !body_[n].is_guarded() && body_[n - 1].op == opcode::label &&
          target(body_[n][0].id) != body_[n - 1][0].id)
        same_[body_[n - 1][0].id] = target(body_[n][0].id);
    resolve();
  }

  // Labels that nobody jumps to, and jumps to the next instruction; numbers of the others become dense.
  void drop_unused_labels() {
    dynamic_array<std::uint32_t> jumps(same_.size());
    for (const instruction& i : body_)
      if (is_jump(i)) ++jumps[i[0].id];
    for (std::size_t n = 0; n + 1 < body_.size(); ++n)
      if (is_jump(body_[n]) && body_[n + 1].op == opcode::label && body_[n + 1][0].id == body_[n][0].id) {
        --jumps[body_[n][0].id];
        body_[n] = {};
      }
    for (instruction& i : body_)
      if (i.op == opcode::label && jumps[i[0].id] == 0) i = {};
    tg::erase_if(body_, [](const instruction& i) { return i.op == opcode::none; });
    number_labels();
  }

  void number_labels() {
    dynamic_array<std::uint32_t> number(same_.size(), no_index);
    dynamic_array<bool> is_kept(kept_.empty() ? 0 : same_.size());
    for (const std::uint32_t label : kept_) is_kept[target(label)] = true;
    f_.label_count = 0;
    for (std::uint32_t n = 0; n < body_.size(); ++n) {
      instruction& i = body_[n];
      if (i.op != opcode::label && !is_jump(i)) continue;
      if (i.op == opcode::label && !is_kept.empty() && is_kept[i[0].id]) f_.pragmas.push_back({n + 1, "nounroll"});
      std::uint32_t& own = number[i[0].id];
      if (own == no_index) own = f_.label_count++;
      i[0].id = own;
    }
  }

  function& f_;
  dynamic_array<instruction> body_;
  dynamic_array<std::uint32_t> open_;
  dynamic_array<exit> exits_;
  dynamic_array<std::uint32_t> same_;  // the label placed where this one would be
  dynamic_array<std::uint32_t> kept_;  // of loops whose number of turns is chosen already
};

}  // namespace detail

inline void flatten(function& f) { detail::flattening(f).run(); }

}  // namespace tg::ptx
