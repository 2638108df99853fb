#include "record.hpp"

#include <any>
#include <functional>
#include <memory>
#include <utility>

#include <tg/dsl.hpp>
#include <tg/dsl/async_copy.hpp>
#include <tg/dsl/barrier.hpp>
#include <tg/dsl/bit_field.hpp>
#include <tg/dsl/block_vote.hpp>
#include <tg/dsl/block_warp.hpp>

namespace judge {

namespace {

/// A value of the kernel, its type known while the program runs.
struct device {
  type of = type::u32;
  tg::ptx::operand operand;
};

template <class T> constexpr type type_of() {
  if constexpr (std::is_same_v<T, bool>) return type::b;
  else if constexpr (std::is_same_v<T, float>) return type::f32;
  else if constexpr (std::is_same_v<T, double>) return type::f64;
  else if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? type::s8 : type::u8;
  else if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? type::s16 : type::u16;
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? type::s32 : type::u32;
  else return std::is_signed_v<T> ? type::s64 : type::u64;
}

template <class T>
tg::value<T> as(const device& d) {
  if (d.of != type_of<T>()) throw malformed("a type that does not fit");
  return tg::value<T>{d.operand};
}
template <class T, class Form>
device forget(const tg::value<T, Form>& v) { return {type_of<T>(), v.operand}; }

tg::source_location at(int line) { return {"fuzz", line}; }

// Two operands of which one can be a C++ number.
template <class T, class A, class B>
device joined(op what, const A& a, const B& b) {
  switch (what) {
    case op::min: if constexpr (tg::is_ordered<T>) return forget(tg::min(a, b)); break;
    case op::max: if constexpr (tg::is_ordered<T>) return forget(tg::max(a, b)); break;
    case op::lt: if constexpr (tg::is_ordered<T>) return forget(a < b); break;
    case op::le: if constexpr (tg::is_ordered<T>) return forget(a <= b); break;
    case op::gt: if constexpr (tg::is_ordered<T>) return forget(a > b); break;
    case op::ge: if constexpr (tg::is_ordered<T>) return forget(a >= b); break;
    case op::eq: if constexpr (tg::is_ordered<T>) return forget(a == b); break;
    case op::ne: if constexpr (tg::is_ordered<T>) return forget(a != b); break;
    case op::bit_and: if constexpr (tg::is_integer<T>) return forget(a & b); break;
    case op::bit_or: if constexpr (tg::is_integer<T>) return forget(a | b); break;
    case op::bit_xor: if constexpr (tg::is_integer<T>) return forget(a ^ b); break;
    case op::logic_and: if constexpr (std::is_same_v<T, bool>) return forget(a && b); break;
    case op::logic_or: if constexpr (std::is_same_v<T, bool>) return forget(a || b); break;
    default: break;
  }
  if constexpr (tg::is_arithmetic<T>) {
    switch (what) {
      case op::add: return forget(a + b);
      case op::sub: return forget(a - b);
      case op::mul: return forget(a * b);
      case op::div: return forget(a / b);
      case op::rem: if constexpr (tg::is_integer<T>) return forget(a % b); break;
      case op::mul_high: if constexpr (tg::is_integer<T>) return forget(tg::mul_high(a, b)); break;
      default: break;
    }
  }
  throw malformed("no such operation on two operands");
}

template <class T>
device changed(op what, const tg::value<T>& a) {
  if constexpr (std::is_same_v<T, bool>) {
    if (what == op::logic_not) return forget(!a);
  } else if constexpr (tg::is_arithmetic<T>) {
    if (what == op::negate) return forget(-a);
    if (what == op::absolute)
      if constexpr (std::is_signed_v<T>) return forget(tg::abs(a));
    if constexpr (tg::is_integer<T>) switch (what) {
      case op::bit_not: return forget(~a);
      case op::popcount: return forget(tg::popcount(a));
      case op::leading_zeros: return forget(tg::leading_zeros(a));
      case op::reverse_bits: return forget(tg::reverse_bits(a));
      default: break;
    } else switch (what) {
      case op::sqrt: return forget(tg::sqrt(a));
      case op::floor: return forget(tg::floor(a));
      case op::ceil: return forget(tg::ceil(a));
      case op::round_even: return forget(tg::round_even(a));
      case op::trunc: return forget(tg::trunc(a));
      default: break;
    }
  }
  throw malformed("no such operation on one operand");
}

/// The block without its shape.
struct block_words {
  device thread[3], index[3], grid[3], global_x, thread_index, lane, warp_index;
  tg::warp_handle<tg::index::data, tg::index::data> warp;
  std::function<void(tg::source_location)> sync;
  std::function<device(op, const tg::value<bool>&, tg::source_location)> vote;

  template <class Shape>
  explicit block_words(const tg::block_handle<Shape>& b)
      : thread{forget(b.thread.x), forget(b.thread.y), forget(b.thread.z)},
        index{forget(b.index.x), forget(b.index.y), forget(b.index.z)},
        grid{forget(b.grid.x), forget(b.grid.y), forget(b.grid.z)},
        global_x(forget(b.global_index())),
        thread_index(forget(b.thread_index())),
        warp(plain(tg::detail::block_warp(b))),
        sync([b](tg::source_location where) { b.sync(where); }),
        vote([b](op what, const tg::value<bool>& c, tg::source_location where) {
          return what == op::block_count ? forget(tg::block_count(b, c, where))
                 : what == op::block_any ? forget(tg::block_any(b, c, where))
                                         : forget(tg::block_all(b, c, where));
        }) {
    lane = forget(warp.lane);
    warp_index = forget(warp.index);
  }

 private:
  template <class Warp>
  static tg::warp_handle<tg::index::data, tg::index::data> plain(const Warp& w) {
    return {tg::value<unsigned>{w.lane.operand}, tg::value<unsigned>{w.index.operand}, w.members, w.last};
  }
};

template <class T, tg::mode M>
using view = tg::view<T, M, 1, tg::default_alignment, tg::multiple_of<1>>;
template <class Element> inline constexpr bool is_written = false;
template <class T, tg::mode M> inline constexpr bool is_written<tg::element<T, M>> = M != tg::mode::read;
template <class T, int N>
using tile = tg::tile<T, tg::shape_t<N>, void*>;

class recorder {
 public:
  recorder(const kernel& k, tg::detail::tracer& t) : kernel_(k), tracer_(t) {
    int number = 0;
    for (std::size_t n = 0; n < k.objects.size(); ++n) {
      objects_.emplace_back();
      if (k.objects[n].what == object::kind::tile) continue;
      with_type(k.objects[n].of, [&]<class T>() {
        switch (k.objects[n].what) {
          case object::kind::in: objects_[n] = tg::detail::parameter<view<T, tg::mode::read>>::make(t, number); break;
          case object::kind::out: objects_[n] = tg::detail::parameter<view<T, tg::mode::write>>::make(t, number); break;
          default: objects_[n] = tg::detail::parameter<view<T, tg::mode::read_write>>::make(t, number); break;
        }
      });
      ++number;
    }
    for (const type s : k.scalars)
      scalars_.push_back(with_type(s, [&]<class T>() { return forget(tg::detail::parameter<tg::scalar<T>>::make(t, number++).get()); }));
  }

  void operator()(const block_words& b) {
    block_ = &b;
    for (std::size_t n = 0; n < kernel_.objects.size(); ++n)
      if (kernel_.objects[n].what == object::kind::tile)
        with_tile(n, [&]<class Tile>() { objects_[n] = std::make_shared<const Tile>(at(1)); });
    run(kernel_.body);
  }

 private:
  template <class F>
  void with_tile(std::size_t n, F&& f) {
    const object& o = kernel_.objects[n];
    const auto sized = [&]<class T>() {
      if (o.elements == 48) return f.template operator()<tile<T, 48>>();
      if (o.elements == 128) return f.template operator()<tile<T, 128>>();
      if (o.elements == 300) return f.template operator()<tile<T, 300>>();
      throw malformed("no tile of that size");
    };
    switch (o.of) {
      case type::u8: return sized.template operator()<std::uint8_t>();
      case type::u32: return sized.template operator()<unsigned>();
      case type::f32: return sized.template operator()<float>();
      case type::u64: return sized.template operator()<unsigned long long>();
      default: throw malformed("no tile of that type");
    }
  }

  // Calls `f(element)` with the element of an object at an index.
  template <class F>
  void with_element(int object, const expr& index, bool is_traced, int line, F&& f) {
    const auto n = static_cast<std::size_t>(object);
    if (n >= kernel_.objects.size()) throw malformed("an object that is not there");
    const device i = of(index);
    const auto with_index = [&](const auto& owner) {
      using owner_type = std::remove_cvref_t<decltype(owner)>;
      constexpr bool is_tile = requires { owner_type::size_bytes; };
      switch (i.of) {
        case type::u32:
          if (is_traced) {
            const tg::value<unsigned, tg::index::traced> traced{i.operand};
            if constexpr (is_tile) return f(owner(traced, tg::allow<tg::TG201>("random"), at(line)));
            else return f(owner(traced, tg::allow<tg::TG202>("random"), at(line)));
          }
          return f(owner(tg::gather(as<unsigned>(i)), {}, at(line)));
        case type::s32: return f(owner(tg::gather(as<int>(i)), {}, at(line)));
        case type::u64: if constexpr (!is_tile) return f(owner(tg::gather(as<unsigned long long>(i)), {}, at(line))); break;
        case type::s64: if constexpr (!is_tile) return f(owner(tg::gather(as<long long>(i)), {}, at(line))); break;
        default: break;
      }
      throw malformed("no such index");
    };
    if (kernel_.objects[n].what == judge::object::kind::tile)
      return with_tile(n, [&]<class Tile>() { with_index(*std::any_cast<const std::shared_ptr<const Tile>&>(objects_[n])); });
    with_type(kernel_.objects[n].of, [&]<class T>() {
      switch (kernel_.objects[n].what) {
        case judge::object::kind::in: return with_index(std::any_cast<const view<T, tg::mode::read>&>(objects_[n]));
        case judge::object::kind::out: return with_index(std::any_cast<const view<T, tg::mode::write>&>(objects_[n]));
        default: return with_index(std::any_cast<const view<T, tg::mode::read_write>&>(objects_[n]));
      }
    });
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

  // A C++ block: what is declared in it ends with it.
  template <class F>
  void in_scope(F&& f) {
    const std::size_t before = names_.size();
    f();
    names_.resize(before);
  }

  void run(const std::vector<stmt>& body) {
    in_scope([&] { for (const stmt& s : body) run(s); });
  }

  template <class T>
  void assign(tg::var<T>& v, const expr& x) {
    if (x.what == op::literal) v = to_number<T>(x.number);
    else v = as<T>(of(x));
  }

  void run(const stmt& s) {
    const tg::source_location where = at(s.line);
    switch (s.what) {
      case stmt::kind::let: {
        const device v = of(s.in[0]);
        names_.push_back({s.index, {v.of, v, nullptr}});
        return;
      }
      case stmt::kind::var:
        return with_type(s.in[0].of, [&]<class T>() {
          std::shared_ptr<void> made;
          if (s.in[0].what == op::literal) made = std::make_shared<tg::var<T>>(to_number<T>(s.in[0].number), where);
          else made = std::make_shared<tg::var<T>>(as<T>(of(s.in[0])), where);
          names_.push_back({s.index, {s.in[0].of, {}, std::move(made)}});
        });
      case stmt::kind::assign:
      case stmt::kind::add_assign: {
        const named n = find(s.index);
        if (n.var == nullptr || n.of != s.in[0].of) throw malformed("an assignment to what is no variable");
        return with_type(n.of, [&]<class T>() {
          auto& v = *static_cast<tg::var<T>*>(n.var.get());
          if (s.what == stmt::kind::assign) return assign(v, s.in[0]);
          if constexpr (tg::is_arithmetic<T>) {
            if (s.in[0].what == op::literal) v += to_number<T>(s.in[0].number);
            else v += as<T>(of(s.in[0]));
          }
        });
      }
      case stmt::kind::store:
        // The value first, as a reader would say `auto x = …; y(i) = x;`.
        return store(s);
      case stmt::kind::perform: of(s.in[0]); return;
      case stmt::kind::branch: {
        const auto c = as<bool>(of(s.in[0]));
        if (s.otherwise.empty()) tg::if_(c, [&] { run(s.body); }, where);
        else tg::if_(c, [&] { run(s.body); }, where).else_([&] { run(s.otherwise); }, where);
        return;
      }
      case stmt::kind::count: return count(s);
      case stmt::kind::repeat_while:
        return tg::while_([&] { return as<bool>(of(s.in[0])); }, [&] { run(s.body); }, where);
      case stmt::kind::unroll:
        for (int n = 0; n < s.times; ++n)
          in_scope([&] {
            names_.push_back({s.index, {type::u32, device{type::u32, tg::ptx::operand::integer(n)}, nullptr}});
            run(s.body);
          });
        return;
      case stmt::kind::sync: return block_->sync(where);
      case stmt::kind::warp_sync: return block_->warp.sync(where);
      case stmt::kind::named_sync: return with_barrier(s, [&](const auto& b) { b.sync(where); });
      case stmt::kind::named_arrive: return with_barrier(s, [&](const auto& b) { b.arrive(where); });
      case stmt::kind::copy_async: return copy(s);
      case stmt::kind::commit_wait:
        tracer_.at(where);
        tracer_.emit(tg::ptx::opcode::cp, {tg::ptx::token::async, tg::ptx::token::commit_group}, {});
        tracer_.emit(tg::ptx::opcode::cp, {tg::ptx::token::async, tg::ptx::token::wait_group}, {tg::ptx::operand::integer(s.times)});
        return;
    }
  }

  template <class F>
  void with_barrier(const stmt& s, F&& f) const {
    if (s.times > (threads_of(kernel_) + 31) / 32 * 32) throw malformed("a barrier of more threads than there are");
    const auto numbered = [&]<int Id>() {
      switch (s.times) {
        case 32: return f(tg::named_barrier<Id, 32>{});
        case 64: return f(tg::named_barrier<Id, 64>{});
        case 96: return f(tg::named_barrier<Id, 96>{});
        case 128: return f(tg::named_barrier<Id, 128>{});
        default: throw malformed("no such barrier");
      }
    };
    if (s.index == 1) numbered.template operator()<1>();
    else numbered.template operator()<2>();
  }

  void store(const stmt& s) {
    const bool is_literal = s.in[1].what == op::literal;
    const device x = is_literal ? device{} : of(s.in[1]);
    with_element(s.index, s.in[0], s.is_traced, s.line, [&](const auto& element) {
      using element_type = std::remove_cvref_t<decltype(element)>;
      using T = typename element_type::device_type;
      if constexpr (is_written<element_type>) {
        if (is_literal) std::move(element) = to_number<T>(s.in[1].number);
        else std::move(element) = as<T>(x);
      }
    });
  }

  void copy(const stmt& s) {
    with_element(s.index, s.in[0], false, s.line, [&](const auto& to) {
      with_element(s.other, s.in[1], false, s.line, [&](const auto& from) {
        using To = std::remove_cvref_t<decltype(to)>;
        using From = std::remove_cvref_t<decltype(from)>;
        using T = typename To::device_type;
        if constexpr (std::is_same_v<T, typename From::device_type> && sizeof(T) >= 4 && From::is_readable) {
          tg::async_copy(to, from, at(s.line));
          return;
        }
        throw malformed("no such copy");
      });
    });
  }

  void count(const stmt& s) {
    if (s.in[2].what == op::literal && s.in[2].number == 0) throw malformed("a loop that stands still");
    with_type(s.in[0].of, [&]<class T>() {
      if constexpr (std::is_same_v<T, unsigned> || std::is_same_v<T, int> || std::is_same_v<T, unsigned long long>) {
        const auto body = [&](const auto& i) {
          in_scope([&] {
            names_.push_back({s.index, {s.in[0].of, forget(i), nullptr}});
            run(s.body);
          });
        };
        const auto start = as<T>(of(s.in[0])), stop = as<T>(of(s.in[1]));
        if constexpr (std::is_same_v<T, int>) {
          if (s.in[2].what == op::literal && to_number<int>(s.in[2].number) == -1)
            return tg::for_(tg::range(start, stop, tg::constant<-1>{}), body, at(s.line));
        }
        tg::for_(tg::range(start, stop, as<T>(of(s.in[2]))), body, at(s.line));
      } else {
        throw malformed("no such counter");
      }
    });
  }

  device of(const expr& e) {
    switch (e.what) {
      case op::literal:
        return with_type(e.of, [&]<class T>() { return forget(tg::var<T>(to_number<T>(e.number)).get()); });
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
      case op::atomic_add: case op::atomic_max: case op::atomic_exchange: return atomic(e);
      default: break;
    }
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

  template <class T>
  device binary(const expr& e) {
    const bool first = e.in[0].what == op::literal, second = e.in[1].what == op::literal;
    if (e.in[0].of != e.in[1].of) throw malformed("operands of two types");
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
      case op::block_count: case op::block_any: case op::block_all: return block_->vote(e.what, as<bool>(own), at(e.line));
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
      if constexpr (std::remove_cvref_t<decltype(element)>::is_readable) out = forget(element.get()), is_read = true;
    });
    if (!is_read) throw malformed("a read of what is only written");
    return out;
  }

  device atomic(const expr& e) {
    device out;
    bool is_done = false;
    const device x = of(e.in[1]);
    with_element(e.index, e.in[0], false, e.line, [&](const auto& element) {
      using element_type = std::remove_cvref_t<decltype(element)>;
      using T = typename element_type::device_type;
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
  std::vector<std::any> objects_;
  std::vector<device> scalars_;
  std::vector<std::pair<int, named>> names_;
};

template <class Shape>
void statements(tg::detail::tracer& t, const void* own) {
  recorder record(*static_cast<const kernel*>(own), t);
  const tg::block_handle<Shape> block;
  const block_words words(block);
  record(words);
}

template <class F>
decltype(auto) with_shape(int shape, F&& f) {
  switch (shape) {
    case 0: return f.template operator()<tg::block_t<32>>();
    case 1: return f.template operator()<tg::block_t<33, 3, 2>>();
    case 2: return f.template operator()<tg::block_t<64>>();
    case 3: return f.template operator()<tg::block_t<7>>();
    case 4: return f.template operator()<tg::block_t<1>>();
    case 5: return f.template operator()<tg::block_t<16, 4>>();
    case 6: return f.template operator()<tg::block_t<5, 3, 9>>();
    case 7: return f.template operator()<tg::block_t<128>>();
    case 8: return f.template operator()<tg::block_t<96>>();
    default: return f.template operator()<tg::block_t<8, 8, 2>>();
  }
}

}  // namespace

tg::detail::recordable to_recordable(const kernel& k) {
  return with_shape(k.shape, [&]<class Shape>() -> tg::detail::recordable {
    return {"random", {Shape::x, Shape::y, Shape::z}, at(1), &k, &statements<Shape>};
  });
}

std::vector<tg::proof::parameter_fact> facts_of(const kernel& k) {
  std::vector<tg::proof::parameter_fact> out;
  int argument = 0;
  for (const object& o : k.objects)
    if (o.what != object::kind::tile)
      out.push_back({.what = tg::proof::parameter_fact::kind::buffer,
                     .least_elements = o.at_least,
                     .element_bytes = bytes_of(o.of),
                     .argument = argument++});
  for (std::size_t n = 0; n < k.scalars.size(); ++n)
    out.push_back({.what = tg::proof::parameter_fact::kind::scalar, .argument = argument++});
  return out;
}

}  // namespace judge
