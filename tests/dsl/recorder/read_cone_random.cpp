// Random kernels of guarded reads beside C++ that reads only what it needs: whatever stands between a read and the selection
// that needs it, it is made only where it is chosen. The memory ends at the last element that may be read.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/lazy.hpp>
#include <tg/dsl/math/fmod.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/math/trigonometry.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/emulator.hpp>
#include <tg/runtime.hpp>

#include "../../random_seed.hpp"
#include "../recording.hpp"

namespace {

constexpr unsigned elements = 40, threads = 64;

enum class kind {
  number,
  lane,
  read,
  sum,
  largest,
  remainder,
  sine,
  chosen,
  branch,
  loop,
  unused,
  guard,
  guard_last,
  guard_lazy,
  guard_both
};

/// An expression: what it is, what it is made of, and how far behind the lane's own element it reads.
struct expression {
  kind what = kind::number;
  unsigned by = 0;
  float number = 0;
  std::vector<expression> of;
};

/// `may_read`: a guard around it says that element i + by is there.
expression any_expression(std::mt19937& random, int depth, bool may_read, unsigned by) {
  const auto make = [&](kind what, int operands) {
    expression out{what, by, 0, {}};
    for (int k = 0; k < operands; ++k) out.of.push_back(any_expression(random, depth - 1, may_read, by));
    return out;
  };
  if (depth == 0) {
    if (may_read && random() % 3 != 0) return {kind::read, by, 0, {}};
    if (random() % 2 == 0) return {kind::lane, by, 0, {}};
    return {kind::number, by, static_cast<float>(random() % 7) - 3, {}};
  }
  switch (random() % 13) {
    case 0: return make(kind::sum, 2);
    case 1: return make(kind::largest, 2);
    case 2: return make(kind::remainder, 1);
    case 3: return make(kind::sine, 1);
    case 4: return make(kind::chosen, 4);
    case 5: return make(kind::branch, 2);
    case 6: return make(kind::loop, 2);
    case 7: return make(kind::unused, 1);
    default: {
      constexpr kind guards[] = {kind::guard, kind::guard_last, kind::guard_lazy, kind::guard_both};
      expression out{guards[random() % 4], static_cast<unsigned>(random() % 30), 0, {}};
      out.of.push_back(any_expression(random, depth - 1, true, out.by));
      out.of.push_back(any_expression(random, depth - 1, may_read, by));
      return out;
    }
  }
}

float value_of(const expression& e, const std::vector<float>& x, unsigned i) {
  const auto part = [&](std::size_t k) { return value_of(e.of[k], x, i); };
  const bool is_there = i + e.by < elements;
  switch (e.what) {
    case kind::number: return e.number;
    case kind::lane: return static_cast<float>(i);
    case kind::read: return x.at(i + e.by);
    case kind::sum: return part(0) + part(1);
    case kind::largest: return std::max(part(0), part(1));
    case kind::remainder: return std::fmod(part(0), 3.0f);
    case kind::sine:
    case kind::unused: return part(0);
    case kind::chosen: return part(0) > part(1) ? part(2) : part(3);
    case kind::branch: return part(0) > part(1) ? part(0) * 0.5f : part(0);
    case kind::loop: return part(0) + 3 * part(1);
    case kind::guard_both: return is_there && part(0) > 1.0f ? 1.0f : part(1);
    default: return is_there ? part(0) : part(1);
  }
}

template <class I, class X, class N> struct recording_of {
  using number = tg::value<float>;
  const I& i;
  const X& x;
  const N& n;

  number operator()(const expression& e) const {
    const auto part = [&](std::size_t k) { return (*this)(e.of[k]); };
    const auto plain = [](const auto& v) { return number{v.get().operand}; };
    switch (e.what) {
      case kind::number: return plain(tg::var<float>(e.number).get());
      case kind::lane: return plain(tg::cast<float>(i));
      case kind::read: return plain(x(i + e.by));
      case kind::sum: return plain(part(0) + part(1));
      case kind::largest: return plain(tg::max(part(0), part(1)));
      case kind::remainder: return plain(tg::fmod(part(0), 3.0f));
      case kind::sine: {
        const number own = part(0);
        return plain(tg::sin(own) * 0.0f + own);
      }
      case kind::chosen: {
        const number a = part(0), b = part(1), c = part(2), d = part(3);
        return plain(tg::select(a > b, c, d));
      }
      case kind::branch: {
        tg::var<float> own = part(0);
        tg::if_(own > part(1), [&] { own = own * 0.5f; });
        return plain(own.get());
      }
      case kind::loop: {
        tg::var<float> own = part(0);
        tg::for_(tg::range(3u), [&](auto) { own += part(1); });
        return plain(own.get());
      }
      case kind::unused: {  // a selection that nobody looks at
        const number own = part(0);
        (void)tg::select(i < 3u, own, 1.0f);
        return own;
      }
      case kind::guard: {
        const number inside = part(0), outside = part(1);
        return plain(tg::select(i + e.by < n, inside, outside));
      }
      case kind::guard_last: {
        const auto is_behind = i + e.by >= n;
        const number outside = part(1), inside = part(0);
        return plain(tg::select(is_behind, outside, inside));
      }
      case kind::guard_lazy: return plain(tg::select(i + e.by < n, part(0), [&] { return part(1); }));
      default: {
        const number inside = part(0), outside = part(1);
        return plain(tg::select(i + e.by < n && inside > 1.0f, 1.0f, outside));
      }
    }
  }
};

}  // namespace

TEST_CASE("random expressions read what is chosen, and have the values of C++") {
  tg::device gpu("emulator");
  std::mt19937 random(random_seed());
  std::vector<float> x(elements);
  for (float& v : x) v = static_cast<float>(random() % 19) - 9;
  const auto on_device = gpu.upload(x);
  int kinds_of_guards = 0;
  for (int turn = 0; turn < 400; ++turn) {
    CAPTURE(turn);
    const expression e = any_expression(random, 1 + static_cast<int>(random() % 4), false, 0);
    kinds_of_guards += e.what >= kind::guard;
    const auto kernel =
        tg::kernel<"chosen">(tg::block<threads>, [&](auto block, tg::in<float> in, tg::out<float> y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.thread.x);
          y(i) = recording_of<decltype(i), decltype(in), decltype(n)>{i, in, n}(e);
        });
    auto y = gpu.upload(std::vector<float>(threads, -1e9f));
    gpu.launch(kernel, tg::grid(1), on_device, y, elements);
    std::vector<float> wanted(threads);
    for (unsigned i = 0; i < threads; ++i) wanted[i] = value_of(e, x, i);
    CHECK(y.to_host() == wanted);
  }
  CHECK(kinds_of_guards > 100);
}
