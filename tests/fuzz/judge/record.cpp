#include "record.hpp"

#include <memory>
#include <utility>

#include <tg/dsl.hpp>
#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/memory/atomic_access.hpp>

#include "block_words.hpp"
#include "recorded_expressions.hpp"

namespace judge {

namespace {

class recorder : recorded_expressions {
 public:
  recorder(const kernel& k, tg::detail::tracer& t) : recorded_expressions(k, t) {}

  void operator()(const block_words& b) {
    block_ = &b;
    elements_.declare_tiles();
    run(kernel_.body);
  }

 private:
  // A C++ block: what is declared in it ends with it.
  template <class F> void in_scope(F&& f) {
    const std::size_t before = names_.size();
    f();
    names_.resize(before);
  }

  void run(const std::vector<stmt>& body) {
    in_scope([&] {
      for (const stmt& s : body) run(s);
    });
  }

  template <class T> void assign(tg::var<T>& v, const expr& x) {
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
      case stmt::kind::array: return declare_array(s);
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
      case stmt::kind::chain: {
        const auto c = as<bool>(of(s.in[0]));
        auto first = tg::if_(c, [&] { run(s.body); }, where);
        const auto second = [&] { return as<bool>(of(s.in[1])); };
        if (s.is_traced) std::move(first).else_if_(second, [&] { run(s.otherwise); }, where);
        else std::move(first).else_if_(second(), [&] { run(s.otherwise); }, where);
        return;
      }
      case stmt::kind::match: return match(s);
      case stmt::kind::leave: return tg::break_(where);
      case stmt::kind::go_on: return tg::continue_(where);
      case stmt::kind::finish: return tg::return_(where);
      case stmt::kind::count: return count(s);
      case stmt::kind::repeat_while: return tg::while_([&] { return as<bool>(of(s.in[0])); }, [&] { run(s.body); }, where);
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
        tracer_.emit(tg::ptx::opcode::cp, {tg::ptx::token::async, tg::ptx::token::wait_group},
                     {tg::ptx::operand::integer(s.times)});
        return;
    }
  }

  void match(const stmt& s) {
    const tg::source_location where = at(s.line);
    auto cases = tg::switch_(as<unsigned>(of(s.in[0])), where);
    const auto body = [&] { run(s.body); };
    const auto otherwise = [&] { run(s.otherwise); };
    if (s.times == 2) std::move(cases).case_({0, 1}, body, where);
    else std::move(cases).case_(0, body, where);
    if (!s.otherwise.empty()) std::move(cases).default_(otherwise, where);
  }

  // Each element has a name of its own; the array lives as long as one of them does.
  void declare_array(const stmt& s) {
    const type of_elements = s.in[0].of;
    const auto sized = [&]<class T, int N>() {
      using array = tg::regs<T, N>;
      const bool is_literal = s.in[0].what == op::literal;
      const auto made = is_literal ? std::make_shared<array>(to_number<T>(s.in[0].number), at(s.line))
                                   : std::make_shared<array>(as<T>(of(s.in[0])), at(s.line));
      for (int n = 0; n < N; ++n) names_.push_back({s.index + n, {of_elements, {}, std::shared_ptr<void>(made, &(*made)(n))}});
    };
    const auto typed = [&]<class T>() {
      if (s.times == 2) return sized.template operator()<T, 2>();
      if (s.times == 3) return sized.template operator()<T, 3>();
      throw malformed("no array of that size");
    };
    switch (of_elements) {
      case type::u32: return typed.template operator()<unsigned>();
      case type::s32: return typed.template operator()<int>();
      case type::u64: return typed.template operator()<unsigned long long>();
      case type::f32: return typed.template operator()<float>();
      default: throw malformed("no array of that type");
    }
  }

  template <class F> void with_barrier(const stmt& s, F&& f) const {
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
        if (s.in[0].is_constant && s.in[1].is_constant && s.in[2].what == op::literal && s.in[2].number == 1) {
          const bool is_signed = to_signed(s.in[0].of, s.in[0].number) < 0;
          if (is_signed) return tg::for_(tg::range(tg::constant<-2>{}, tg::constant<3>{}), body, at(s.line));
          return tg::for_(tg::range(tg::constant<0>{}, tg::constant<3>{}), body, at(s.line));
        }
        const auto start = as<T>(of(s.in[0])), stop = as<T>(of(s.in[1]));
        if constexpr (std::is_same_v<T, int>) {
          if (s.in[2].what == op::literal && to_number<int>(s.in[2].number) == -1)
            return tg::for_(tg::range(start, stop, tg::constant<-1>{}), body, at(s.line));
        }
        if (s.in[2].what == op::literal) {  // a step that the passes know: such loops are unrolled
          if (s.in[2].number == 1) return tg::for_(tg::range(start, stop, tg::constant<1>{}), body, at(s.line));
          if (s.in[2].number == 3) return tg::for_(tg::range(start, stop, tg::constant<3>{}), body, at(s.line));
        }
        tg::for_(tg::range(start, stop, as<T>(of(s.in[2]))), body, at(s.line));
      } else {
        throw malformed("no such counter");
      }
    });
  }
};

template <class Shape> void statements(tg::detail::tracer& t, const void* own) {
  recorder record(*static_cast<const kernel*>(own), t);
  const tg::block_handle<Shape> block;
  const block_words words(block);
  record(words);
}

template <class F> decltype(auto) with_shape(int shape, F&& f) {
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

tg::dynamic_array<tg::proof::parameter_fact> facts_of(const kernel& k) {
  tg::dynamic_array<tg::proof::parameter_fact> out;
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
