// Expressions of a random kernel, as the library records them.
#pragma once

#include <memory>
#include <utility>

#include <tg/dsl.hpp>
#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/memory/atomic_access.hpp>

#include "block_words.hpp"
#include "elements.hpp"
#include "operators.hpp"

namespace judge {

/// Records expressions while a kernel is recorded. Names are those that statements have declared.
class recorded_expressions {
 protected:
  recorded_expressions(const kernel& k, tg::detail::tracer& t) : kernel_(k), tracer_(t), elements_(k, t) {
    int number = elements_.buffers();
    for (const type s : k.scalars)
      scalars_.push_back(
          with_type(s, [&]<class T>() { return forget(tg::detail::parameter<tg::scalar<T>>::make(t, number++).get()); }));
  }

  template <class F> void with_element(int object, const expr& index, bool is_traced, int line, F&& f) {
    elements_.with_element(object, of(index), is_traced, line, std::forward<F>(f));
  }

  struct named {
    type of = type::u32;
    device value;
    std::shared_ptr<void> var;  // null: a value
  };

  const named& find(int index) const {
    for (auto n = names_.rbegin(); n != names_.rend(); ++n)
      if (n->first == index) return n->second;
    throw malformed("a name that is not declared");
  }

  device of(const expr& e) {
    switch (e.what) {
      case op::literal: return with_type(e.of, [&]<class T>() { return forget(tg::var<T>(to_number<T>(e.number)).get()); });
      case op::scalar: return scalars_.at(static_cast<std::size_t>(e.index));
      case op::name: {
        const named& n = find(e.index);
        if (n.var == nullptr) return n.value;
        return with_type(n.of, [&]<class T>() { return forget(static_cast<const tg::var<T>*>(n.var.get())->get()); });
      }
      case op::thread_x: return block_->thread[0];
      case op::thread_y: return block_->thread[1];
      case op::thread_z: return block_->thread[2];
      case op::block_x: return block_->index[0];
      case op::block_y: return block_->index[1];
      case op::block_z: return block_->index[2];
      case op::grid_x: return block_->grid[0];
      case op::grid_y: return block_->grid[1];
      case op::grid_z: return block_->grid[2];
      case op::global_x: return block_->global_x;
      case op::thread_index: return block_->thread_index;
      case op::lane: return block_->lane;
      case op::warp_index: return block_->warp_index;
      case op::load: return load(e);
      default: break;
    }
    if (is_atomic(e.what)) return atomic(e);
    if (is_collective(e.what)) return collective(e);
    if (e.what == op::cast) return cast(e);
    if (e.what == op::select) return select(e);
    if (e.what == op::shl || e.what == op::shr) return shift(e);
    if (e.what == op::fma) return fused(e);
    if (e.what == op::extract_bits) return extracted(e);
    if (e.in.size() == 1) {
      const device a = of(e.in[0]);
      return with_type(a.of, [&]<class T>() { return changed<T>(e.what, as<T>(a)); });
    }
    if (e.in.size() != 2) throw malformed("an operation without operands");
    return with_type(e.in[0].of, [&]<class T>() { return binary<T>(e); });
  }

  template <class T> device binary(const expr& e) {
    const bool first = e.in[0].what == op::literal, second = e.in[1].what == op::literal;
    if (e.in[0].of != e.in[1].of) throw malformed("operands of two types");
    if constexpr (std::is_same_v<T, unsigned> || std::is_same_v<T, int>) {
      if (second && !first && e.in[1].is_constant) {
        const auto a = as<T>(of(e.in[0]));
        return with_constant<T>(e.in[1].number, [&](auto c) { return joined<T>(e.what, a, c); });
      }
    }
    if constexpr (!std::is_same_v<T, bool>) {
      if (second && !first) return joined<T>(e.what, as<T>(of(e.in[0])), to_number<T>(e.in[1].number));
      if (first && !second) return joined<T>(e.what, to_number<T>(e.in[0].number), as<T>(of(e.in[1])));
    }
    const device a = of(e.in[0]), b = of(e.in[1]);
    return joined<T>(e.what, as<T>(a), as<T>(b));
  }

  device shift(const expr& e) {
    const device a = of(e.in[0]);
    return with_type(a.of, [&]<class T>() -> device {
      if constexpr (tg::is_integer<T> && tg::is_arithmetic<T>) {
        const auto x = as<T>(a);
        if (e.in[1].what == op::literal) {
          const auto n = static_cast<unsigned>(e.in[1].number);
          return e.what == op::shl ? forget(x << n) : forget(x >> n);
        }
        const auto n = as<unsigned>(of(e.in[1]));
        return e.what == op::shl ? forget(x << n) : forget(x >> n);
      }
      throw malformed("no such shift");
    });
  }

  device cast(const expr& e) {
    const device a = of(e.in[0]);
    return with_type(a.of, [&]<class From>() {
      const auto x = as<From>(a);
      return with_type(e.of, [&]<class To>() { return forget(tg::cast<To>(x)); });
    });
  }

  device select(const expr& e) {
    const auto c = as<bool>(of(e.in[0]));
    return with_type(e.of, [&]<class T>() {
      if constexpr (!std::is_same_v<T, bool>) {
        if (e.in[2].what == op::literal && e.in[1].what != op::literal)
          return forget(tg::select(c, as<T>(of(e.in[1])), to_number<T>(e.in[2].number)));
      }
      const device a = of(e.in[1]), b = of(e.in[2]);
      return forget(tg::select(c, as<T>(a), as<T>(b)));
    });
  }

  device fused(const expr& e) {
    const device a = of(e.in[0]), b = of(e.in[1]), c = of(e.in[2]);
    if (e.of == type::f32) return forget(tg::fma(as<float>(a), as<float>(b), as<float>(c)));
    return forget(tg::fma(as<double>(a), as<double>(b), as<double>(c)));
  }

  device extracted(const expr& e) {
    const device a = of(e.in[0]), p = of(e.in[1]), n = of(e.in[2]);
    return with_type(a.of, [&]<class T>() -> device {
      if constexpr (tg::is_integer<T> && tg::is_arithmetic<T>)
        return forget(tg::extract_bits(as<T>(a), as<unsigned>(p), as<unsigned>(n)));
      throw malformed("no such field");
    });
  }

  device collective(const expr& e) {
    const device own = of(e.in[0]);
    switch (e.what) {
      case op::vote_any: return forget(block_->warp.any(as<bool>(own)));
      case op::vote_all: return forget(block_->warp.all(as<bool>(own)));
      case op::ballot: return forget(block_->warp.ballot(as<bool>(own)));
      case op::block_count:
      case op::block_any:
      case op::block_all: return block_->vote(e.what, as<bool>(own), at(e.line));
      default: break;
    }
    const auto lane = as<unsigned>(of(e.in[1]));
    return with_type(own.of, [&]<class T>() -> device {
      if constexpr (!std::is_same_v<T, bool>) {
        const auto x = as<T>(own);
        switch (e.what) {
          case op::shuffle_idx: return forget(block_->warp.shuffle(x, lane));
          case op::shuffle_up: return forget(block_->warp.shuffle_up(x, lane));
          case op::shuffle_down: return forget(block_->warp.shuffle_down(x, lane));
          default: return forget(block_->warp.shuffle_xor(x, lane));
        }
      }
      throw malformed("no such shuffle");
    });
  }

  device load(const expr& e) {
    device out;
    bool is_read = false;
    with_element(e.index, e.in[0], e.is_traced, e.line, [&](const auto& element) {
      if constexpr (std::remove_cvref_t<decltype(element)>::is_readable) {
        is_read = true;
        if (e.what == op::load_relaxed) out = forget(tg::atomic_load(element, at(e.line)));
        else if (e.what == op::load_acquire) out = forget(tg::atomic_load<tg::order::acquire>(element, at(e.line)));
        else out = forget(element.get());
      }
    });
    if (!is_read) throw malformed("a read of what is only written");
    return out;
  }

  device atomic(const expr& e) {
    if (e.what == op::load_relaxed || e.what == op::load_acquire) return load(e);
    device out;
    bool is_done = false;
    const device x = of(e.in[1]);
    with_element(e.index, e.in[0], false, e.line, [&](const auto& element) {
      using element_type = std::remove_cvref_t<decltype(element)>;
      using T = typename element_type::device_type;
      if constexpr (is_written<element_type>) {
        if (e.what == op::store_relaxed || e.what == op::store_release) {
          is_done = true;
          if (e.what == op::store_relaxed) tg::atomic_store(element, as<T>(x), at(e.line));
          else tg::atomic_store<tg::order::release>(element, as<T>(x), at(e.line));
          return;
        }
      }
      if constexpr (tg::is_integer<T> && tg::is_arithmetic<T> && is_written<element_type>) {
        is_done = true;
        if (e.what == op::atomic_add) out = forget(tg::atomic_add(element, as<T>(x), at(e.line)));
        else if (e.what == op::atomic_max) out = forget(tg::atomic_max(element, as<T>(x), at(e.line)));
        else out = forget(tg::atomic_exchange(element, as<T>(x), at(e.line)));
      }
    });
    if (!is_done) throw malformed("no such atomic");
    return out;
  }

  const kernel& kernel_;
  tg::detail::tracer& tracer_;
  const block_words* block_ = nullptr;
  elements elements_;
  std::vector<device> scalars_;
  std::vector<std::pair<int, named>> names_;
};

}  // namespace judge
