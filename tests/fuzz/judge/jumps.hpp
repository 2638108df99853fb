// Adds jumps, chains of conditions and switches to a kernel that was made without.
#pragma once

#include <utility>
#include <vector>

#include "random.hpp"

namespace judge {

/// What is added depends on the kernel and the seed. Behind it, threads come to no collective that all are needed for:
/// unless `anywhere`, loops with collectives stay as they are, and so do kernels with collectives where a thread would end.
class jumps {
 public:
  jumps(std::uint64_t seed, bool anywhere) : choose_(seed ^ 0x6a09e667), anywhere_(anywhere) {}

  void operator()(kernel& k) {
    can_finish_ = anywhere_ ? choose_.one_in(3) : !meets(k.body) && choose_.one_in(3);
    for (std::size_t n = 0; n < k.scalars.size(); ++n)
      if (k.scalars[n] == type::u32) scalar_ = static_cast<int>(n);
    std::vector<stmt> last;  // what stores the results
    while (!k.body.empty() && k.body.back().what == stmt::kind::store)
      last.insert(last.begin(), std::move(k.body.back())), k.body.pop_back();
    change(k.body, nullptr);
    k.body.insert(k.body.end(), last.begin(), last.end());
    number_lines(k);
  }

 private:
  static bool meets(const expr& e) {
    return is_collective(e.what) || std::any_of(e.in.begin(), e.in.end(), [](const expr& x) { return meets(x); });
  }
  static bool meets(const std::vector<stmt>& body) {
    return std::any_of(body.begin(), body.end(), [](const stmt& s) {
      return (s.what >= stmt::kind::sync && s.what <= stmt::kind::warp_sync) || meets(s.body) || meets(s.otherwise) ||
             std::any_of(s.in.begin(), s.in.end(), [](const expr& x) { return meets(x); });
    });
  }

  void change(std::vector<stmt>& body, const stmt* loop) {
    for (std::size_t n = 0; n < body.size(); ++n) {
      stmt& s = body[n];
      const bool is_loop = s.what == stmt::kind::count || s.what == stmt::kind::repeat_while;
      const bool can_jump = !is_loop || anywhere_ || !meets(s.body);
      change(s.body, is_loop ? (can_jump ? &s : nullptr) : loop);
      change(s.otherwise, loop);
      if (is_loop && can_jump) jump_in(s);
      if (s.what == stmt::kind::branch && !meets(s.body) && !meets(s.otherwise)) bend(s, loop);
    }
    if (can_finish_ && choose_.one_in(4)) insert(body, guarded({.what = stmt::kind::finish}, loop));
  }

  // A jump at the end of an arm; the branch as another word.
  void bend(stmt& s, const stmt* loop) {
    if (loop != nullptr && choose_.one_in(3) && !ends(s.body)) s.body.push_back(jump());
    if (s.in.size() != 1 || !choose_.one_in(3)) return;
    if (!s.otherwise.empty() && choose_.one_in(2)) {
      s.what = stmt::kind::chain;
      s.in.push_back(condition(loop));
      s.is_traced = choose_.one_in(2);
    } else {
      s.what = stmt::kind::match;
      s.times = 1 + choose_.below(2);
      s.in = {node(op::rem, type::u32, {number(loop), u32(2u + static_cast<std::uint32_t>(choose_.below(3)))})};
    }
  }

  void jump_in(stmt& loop) {
    // So that go_on does not keep a loop from its end.
    if (loop.what == stmt::kind::repeat_while && !loop.body.empty() && loop.body.back().what == stmt::kind::add_assign) {
      loop.body.insert(loop.body.begin(), loop.body.back());
      loop.body.pop_back();
    }
    for (int n = choose_.below(3); n-- > 0;) insert(loop.body, guarded(jump(), &loop));
  }

  static bool ends(const std::vector<stmt>& body) {
    return !body.empty() && body.back().what >= stmt::kind::leave && body.back().what <= stmt::kind::finish;
  }

  void insert(std::vector<stmt>& body, stmt s) {
    const int places = static_cast<int>(body.size()) + (ends(body) ? 0 : 1);
    body.insert(body.begin() + choose_.below(places), std::move(s));
  }

  // Under one condition or two.
  stmt guarded(stmt s, const stmt* loop) {
    stmt inner{.what = stmt::kind::branch, .in = {condition(loop)}};
    inner.body.push_back(std::move(s));
    if (choose_.one_in(2)) return inner;
    stmt outer{.what = stmt::kind::branch, .in = {condition(loop)}};
    outer.body.push_back(std::move(inner));
    return outer;
  }

  stmt jump() {
    if (can_finish_ && choose_.one_in(4)) return {.what = stmt::kind::finish};
    return {.what = choose_.one_in(2) ? stmt::kind::leave : stmt::kind::go_on};
  }

  expr number(const stmt* loop) {
    if (loop != nullptr && loop->what == stmt::kind::count && choose_.one_in(2)) {
      const type t = loop->in[0].of;
      if (!choose_.one_in(4)) return cast(type::u32, name(t, loop->index));
      return node(op::add, type::u32, {cast(type::u32, name(t, loop->index)), node(op::thread_index, type::u32)});
    }
    if (scalar_ >= 0 && choose_.one_in(4)) return scalar(type::u32, scalar_);
    return node(choose_.any({op::thread_index, op::thread_x, op::global_x, op::block_x}), type::u32);
  }

  expr condition(const stmt* loop) {
    const op how = choose_.any({op::lt, op::gt, op::eq, op::ne});
    expr n = number(loop);
    if (choose_.one_in(2)) n = node(op::rem, type::u32, {std::move(n), u32(choose_.any({2u, 3u, 5u, 32u}))});
    return node(how, type::b, {std::move(n), u32(choose_.any({0u, 1u, 2u, 7u, 40u}))});
  }

  choices choose_;
  bool anywhere_;
  bool can_finish_ = false;
  int scalar_ = -1;
};

/// `k` with jumps, by one seed in two.
inline kernel with_jumps(kernel k, std::uint64_t seed, bool anywhere) {
  if (seed % 2 != 0) jumps(seed, anywhere)(k);
  return k;
}

}  // namespace judge
