// Makes a kernel smaller while it still fails.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tree.hpp"

namespace judge {

namespace detail {

/// Calls `try_it` with each smaller tree that one change makes; `try_it` says whether the change is to stay.
class reducer {
 public:
  using keeps = std::function<bool(const kernel&)>;

  reducer(kernel k, keeps still_fails, int tries)
      : kernel_(std::move(k)), still_fails_(std::move(still_fails)), tries_(tries) {}

  kernel operator()() {
    for (bool changed = true; changed && tries_ > 0;) {
      changed = false;
      changed |= shrink(kernel_.body);
      changed |= shrink_objects();
    }
    return kernel_;
  }

 private:
  bool holds() {
    if (tries_-- <= 0) return false;
    kernel copy = kernel_;
    number_lines(copy);
    return still_fails_(copy);
  }

  bool shrink(std::vector<stmt>& body) {
    bool changed = false;
    // Halves, then single statements, from the end: what is used stands before what uses it.
    for (std::size_t count = body.size() / 2; count > 1; count /= 2)
      for (std::size_t at = 0; at + count <= body.size();) {
        const std::vector<stmt> before = body;
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(at), body.begin() + static_cast<std::ptrdiff_t>(at + count));
        if (holds()) changed = true;
        else body = before, at += count;
      }
    for (std::size_t at = body.size(); at-- > 0;) {
      const std::vector<stmt> before = body;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      if (holds()) {
        changed = true;
        continue;
      }
      body = before;
      // A branch or loop by what is in it.
      if (!body[at].body.empty() &&
          (body[at].what == stmt::kind::branch || body[at].what == stmt::kind::chain || body[at].what == stmt::kind::match)) {
        for (const bool first : {true, false}) {
          std::vector<stmt> inner = first ? before[at].body : before[at].otherwise;
          if (inner.empty()) continue;
          body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
          if (holds()) {
            changed = true;
            break;
          }
          body = before;
        }
      }
      if (at >= body.size()) continue;
      if (body[at].what == stmt::kind::unroll && body[at].times > 1) {
        body[at].times = 1;
        if (holds()) changed = true;
        else body[at].times = before[at].times;
      }
      if (!body[at].otherwise.empty() && body[at].what != stmt::kind::chain) {
        auto kept = std::exchange(body[at].otherwise, {});
        if (holds()) changed = true;
        else body[at].otherwise = std::move(kept);
      }
      changed |= shrink(body[at].body);
      changed |= shrink(body[at].otherwise);
      for (std::size_t n = 0; n < body[at].in.size(); ++n) changed |= shrink(body[at].in[n]);
    }
    return changed;
  }

  bool replace(expr& e, expr by) {
    expr kept = std::exchange(e, std::move(by));
    if (holds()) return true;
    e = std::move(kept);
    return false;
  }

  bool shrink(expr& e) {
    if (e.what == op::literal) {
      for (const bits n : {bits{0}, bits{1}})
        if (e.number > n && replace(e, literal(e.of, is_float(e.of) && n == 1 ? from_double(e.of, 1.0) : n))) return true;
      return false;
    }
    bool changed = false;
    if (e.what == op::name || e.in.empty()) {
      if (e.of == type::u32 && e.what != op::thread_x && replace(e, node(op::thread_x, type::u32))) return true;
      if (replace(e, literal(e.of, 0))) return true;
      return false;
    }
    for (std::size_t n = 0; n < e.in.size(); ++n)
      if (e.in[n].of == e.of) {
        const expr child = e.in[n];
        if (replace(e, child)) return shrink(e), true;
      }
    if (!is_access(e.what) && !is_collective(e.what)) {
      if (replace(e, literal(e.of, 0))) return true;
      if (replace(e, literal(e.of, is_float(e.of) ? from_double(e.of, 1.0) : 1))) return true;
      if (e.of == type::u32 && replace(e, node(op::thread_x, type::u32))) return true;
    } else if (replace(e, literal(e.of, 0))) {
      return true;
    }
    for (expr& x : e.in) changed |= shrink(x);
    return changed;
  }

  static bool uses(const expr& e, int object) {
    if (is_access(e.what) && e.index == object) return true;
    for (const expr& x : e.in)
      if (uses(x, object)) return true;
    return false;
  }
  static bool uses(const std::vector<stmt>& body, int object) {
    for (const stmt& s : body) {
      if ((s.what == stmt::kind::store || s.what == stmt::kind::copy_async) && s.index == object) return true;
      if (s.what == stmt::kind::copy_async && s.other == object) return true;
      for (const expr& e : s.in)
        if (uses(e, object)) return true;
      if (uses(s.body, object) || uses(s.otherwise, object)) return true;
    }
    return false;
  }
  static void drop(expr& e, int object) {
    if (is_access(e.what) && e.index > object) --e.index;
    for (expr& x : e.in) drop(x, object);
  }
  static void drop(std::vector<stmt>& body, int object) {
    for (stmt& s : body) {
      if ((s.what == stmt::kind::store || s.what == stmt::kind::copy_async) && s.index > object) --s.index;
      if (s.what == stmt::kind::copy_async && s.other > object) --s.other;
      for (expr& e : s.in) drop(e, object);
      drop(s.body, object);
      drop(s.otherwise, object);
    }
  }

  bool shrink_objects() {
    bool changed = false;
    for (int n = static_cast<int>(kernel_.objects.size()); n-- > 0;) {
      if (uses(kernel_.body, n)) continue;
      const kernel before = kernel_;
      kernel_.objects.erase(kernel_.objects.begin() + n);
      drop(kernel_.body, n);
      if (holds()) changed = true;
      else kernel_ = before;
    }
    for (const int shape : {4, 0, 2})
      if (kernel_.shape != shape && threads_of(kernel_) > shapes[static_cast<std::size_t>(shape)][0]) {
        const int before = std::exchange(kernel_.shape, shape);
        if (holds()) {
          changed = true;
          break;
        }
        kernel_.shape = before;
      }
    return changed;
  }

  kernel kernel_;
  keeps still_fails_;
  int tries_;
};

}  // namespace detail

/// A smaller kernel for which `still_fails` holds, as `k` does. Cost: at most `tries` calls.
inline kernel reduced(const kernel& k, detail::reducer::keeps still_fails, int tries = 3000) {
  kernel out = detail::reducer(k, std::move(still_fails), tries)();
  number_lines(out);
  return out;
}

}  // namespace judge
