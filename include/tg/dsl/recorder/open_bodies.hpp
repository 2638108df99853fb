// What break_, continue_ and return_ make of the bodies that are being recorded.
//
// The IR has branches and loops only. A jump becomes a branch around what it skips:
//
//   for_(..., [&](auto i) {            <loop>
//     a;                                 goes = true; a
//     if_(c, [&] { break_(); });         <if> c         goes = false
//     b;                                 <else>         b
//   });                                  <endif>
//                                      <endloop> more && goes
//
// Where only some lanes of an arm jump, a predicate `runs` of the body around it says who goes on, and the rest of that
// body is a branch on it. Passes and proofs see ordinary branches.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/source_location.hpp>
#include <tg/ptx/ir/operand.hpp>

namespace tg::detail {

/// How the lanes that enter a body come to its end.
enum class outcome : std::uint8_t { all_arrive, some_jump, all_jump };

/// The statements of a branch, of a loop or, outermost, of the kernel.
struct open_body {
  bool is_loop = false;
  bool has_ended = false;   // behind a jump: no statement may follow
  bool has_exited = false;  // ... which was return_
  bool is_mixed = false;    // some lanes have jumped out of it
  bool breaks = false;      // of a loop: break_ is among its statements
  bool returns = false;     // return_ is
  std::uint32_t rests = 0;  // branches that are open around the rest of the body
  ptx::operand entered_by;  // of a branch: its condition
  ptx::operand runs;        // which lanes go on behind a branch that some jumped out of
  ptx::operand goes;        // of a loop: which lanes come back

  // The branch that was recorded last.
  bool has_pending_rest = false;
  bool has_else = false;
  ptx::operand condition;
  outcome then = outcome::all_arrive;
  outcome otherwise = outcome::all_arrive;

  outcome result() const {
    if (has_ended && (!has_exited || is_mixed)) return outcome::all_jump;
    return is_mixed ? outcome::some_jump : outcome::all_arrive;
  }
};

/// The bodies from the kernel's to the innermost.
class open_bodies {
 public:
  open_bodies() { bodies_.reserve(16); }

  open_body& top() { return bodies_.back(); }
  open_body& operator[](std::size_t n) { return bodies_[n]; }
  std::size_t count() const { return bodies_.size(); }
  /// The number of the innermost loop; 0: there is none.
  std::size_t innermost_loop() const {
    std::size_t n = bodies_.size() - 1;
    while (n > 0 && !bodies_[n].is_loop) --n;
    return n;
  }

  void push(const open_body& b) {
    bodies_.push_back(b);
    look();
  }
  void pop() {
    last_ = bodies_.back();
    bodies_.pop_back();
    look();
  }
  /// The body that was closed last.
  const open_body& last() const { return last_; }

  /// Whether a statement needs a look before it is recorded.
  bool needs_care() const { return needs_care_; }
  /// To be called when the innermost body has changed.
  void look() { needs_care_ = top().has_ended || top().has_pending_rest || returned_at.is_known(); }

  source_location jumped_at;    // the line of the last jump
  source_location returned_at;  // the line of a return_ at which the threads of a block part

 private:
  dynamic_array<open_body> bodies_{1};
  open_body last_;
  bool needs_care_ = false;
};

}  // namespace tg::detail
