// Asks z3 for a launch that refutes what is said of a random kernel: two threads, their blocks, the arguments and what the
// read-only buffers hold are bit-vectors. Loops are followed for a few rounds. What the solver finds is run to see it.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <z3++.h>

#include "brute_force.hpp"

namespace judge {

class solver {
 public:
  explicit solver(const kernel& k) : kernel_(k) {
    for (std::size_t n = 0; n < k.scalars.size(); ++n) scalars_.push_back(unknown(k.scalars[n]));
    for (int axis = 0; axis < 3; ++axis) grid_.push_back(unknown(type::u32));
    for (std::size_t n = 0; n < k.objects.size(); ++n)
      contents_.push_back(z3::function(("b" + std::to_string(n)).c_str(), context_.bv_sort(64), context_.bv_sort(static_cast<unsigned>(bytes_of(k.objects[n].of) * 8))));
    z3::expr blocks = number(type::u32, 1);
    for (const z3::expr& g : grid_) {
      known_.push_back(z3::uge(g, 1) && z3::ule(g, 3));
      blocks = blocks * g;
    }
    known_.push_back(z3::ule(blocks, 6));
    for (thread& t : threads_) {
      t.id = unknown(type::u32);
      known_.push_back(z3::ult(*t.id, static_cast<unsigned>(threads_of(k))));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        t.block.push_back(unknown(type::u32));
        known_.push_back(z3::ult(t.block[axis], grid_[axis]));
      }
      t.interval = number(type::u32, 0);
      run(t, k.body, context_.bool_val(true));
    }
    is_same_block_ = context_.bool_val(true);
    for (std::size_t axis = 0; axis < 3; ++axis) is_same_block_ = *is_same_block_ && threads_[0].block[axis] == threads_[1].block[axis];
  }

  /// A launch in which one of the faults is there that `is_wanted` asks for; none if there is no such launch, or none was
  /// found in time.
  std::optional<launch> find(const std::function<bool(const fault&)>& is_wanted, bool may_wrap) {
    z3::expr_vector any(context_);
    for (const access& a : threads_[0].accesses) {
      const object& o = kernel_.objects[static_cast<std::size_t>(a.object)];
      const bool is_tile = o.what == object::kind::tile;
      const int size = (is_tile ? o.elements : o.at_least) * bytes_of(o.of);
      if (size > 0 && is_wanted({tg::question::extents, a.line, a.line, false, {}, {}}))
        any.push_back(a.comes && z3::ugt(a.offset, number(type::u64, static_cast<bits>(size - bytes_of(o.of)))));
      for (const access& b : threads_[1].accesses) {
        if (a.object != b.object || (!a.writes && !b.writes) || (a.is_atomic && b.is_atomic) || b.line < a.line) continue;
        const tg::question q = is_tile ? tg::question::shared_race : tg::question::global_race;
        if (!is_wanted({q, a.line, b.line, false, {}, {}})) continue;
        const z3::expr in_block = *is_same_block_ && *threads_[0].id != *threads_[1].id && a.interval == b.interval;
        any.push_back(a.comes && b.comes && a.offset == b.offset && (is_tile ? in_block : in_block || !*is_same_block_));
      }
    }
    for (std::size_t n = 0; n < std::min(threads_[0].barriers.size(), threads_[1].barriers.size()); ++n) {
      const auto &a = threads_[0].barriers[n], &b = threads_[1].barriers[n];
      if (is_wanted({tg::question::barrier, a.first, a.first, false, {}, {}})) any.push_back(*is_same_block_ && a.second && !b.second);
    }
    if (any.empty()) return std::nullopt;
    z3::solver ask(context_);
    z3::params limits(context_);
    limits.set("timeout", 150u);
    ask.set(limits);
    for (const z3::expr& e : known_) ask.add(e);
    if (!may_wrap)
      for (const z3::expr& e : whole_) ask.add(e);
    ask.add(z3::mk_or(any));
    const z3::check_result said = ask.check();
    ++answers[said == z3::unsat ? 0 : said == z3::sat ? 1 : 2];
    if (said != z3::sat) return std::nullopt;
    return launch_of(ask.get_model());
  }

  inline static std::array<long, 3> answers{};  // none, found, not in time

 private:
  struct access {
    int line;
    int object;
    bool writes, is_atomic;
    z3::expr comes, offset, interval;
  };
  struct thread {
    std::optional<z3::expr> id;
    std::vector<z3::expr> block;
    std::optional<z3::expr> interval;
    std::map<int, z3::expr> names;
    std::vector<access> accesses;
    std::vector<std::pair<int, z3::expr>> barriers;  // line, and who comes
  };
  struct element {
    int object;
    z3::expr at, value;
  };

  z3::expr number(type t, bits n) { return t == type::b ? context_.bool_val(n != 0) : context_.bv_val(static_cast<std::uint64_t>(n & mask_of(t)), static_cast<unsigned>(width_of(t))); }
  z3::expr unknown(type t) {
    const std::string name = "u" + std::to_string(next_++);
    return t == type::b ? context_.bool_const(name.c_str()) : context_.bv_const(name.c_str(), static_cast<unsigned>(width_of(t)));
  }

  // Statements.
  void run(thread& t, const std::vector<stmt>& body, const z3::expr& comes) {
    for (const stmt& s : body) run(t, s, comes);
  }

  void run(thread& t, const stmt& s, const z3::expr& comes) {
    switch (s.what) {
      case stmt::kind::let: case stmt::kind::var: declare(t, s.index, of(t, s.in[0], comes)); return;
      case stmt::kind::assign: assign(t, s.index, of(t, s.in[0], comes), comes); return;
      case stmt::kind::add_assign: assign(t, s.index, named(t, s.index) + of(t, s.in[0], comes), comes); return;
      case stmt::kind::store: {
        const z3::expr at = of(t, s.in[0], comes);
        of(t, s.in[1], comes);
        touch(t, s.index, s.in[0].of, at, s.line, true, false, comes);
        return;
      }
      case stmt::kind::perform: of(t, s.in[0], comes); return;
      case stmt::kind::branch: {
        const z3::expr c = of(t, s.in[0], comes);
        run(t, s.body, comes && c);
        run(t, s.otherwise, comes && !c);
        return;
      }
      case stmt::kind::count: {
        const type own = s.in[0].of;
        z3::expr i = of(t, s.in[0], comes);
        const z3::expr stop = of(t, s.in[1], comes), by = of(t, s.in[2], comes);
        z3::expr goes_on = comes;
        for (int n = 0; n < rounds; ++n) {
          goes_on = goes_on && (is_signed(own) ? i < stop : z3::ult(i, stop));
          declare(t, s.index, i);
          run(t, s.body, goes_on);
          whole_.push_back(z3::implies(goes_on, z3::bvadd_no_overflow(i, by, is_signed(own))));
          i = i + by;
        }
        // What comes behind the loop is reached by those that have left it.
        known_.push_back(z3::implies(goes_on, !(is_signed(own) ? i < stop : z3::ult(i, stop))));
        return;
      }
      case stmt::kind::unroll:
        for (int n = 0; n < s.times; ++n) declare(t, s.index, number(type::u32, static_cast<bits>(n))), run(t, s.body, comes);
        return;
      case stmt::kind::sync:
        t.barriers.emplace_back(s.line, comes);
        t.interval = (*t.interval + z3::ite(comes, number(type::u32, 1), number(type::u32, 0))).simplify();
        return;
      case stmt::kind::copy_async: {
        const z3::expr to = of(t, s.in[0], comes), from = of(t, s.in[1], comes);
        touch(t, s.other, s.in[1].of, from, s.line, false, false, comes);
        touch(t, s.index, s.in[0].of, to, s.line, true, false, comes);
        return;
      }
      case stmt::kind::commit_wait: return;
      default: throw malformed("not for the solver");
    }
  }

  z3::expr named(thread& t, int index) {
    const auto found = t.names.find(index);
    if (found == t.names.end()) throw malformed("a name that is not declared");
    return found->second;
  }
  static void declare(thread& t, int index, const z3::expr& x) {
    t.names.erase(index);
    t.names.emplace(index, x);
  }
  void assign(thread& t, int index, const z3::expr& x, const z3::expr& comes) { declare(t, index, z3::ite(comes, x, named(t, index)).simplify()); }

  z3::expr widened(type from, const z3::expr& x, int to) {
    const auto more = static_cast<unsigned>(to - width_of(from));
    return is_signed(from) ? z3::sext(x, more) : z3::zext(x, more);
  }

  void touch(thread& t, int object, type index, const z3::expr& at, int line, bool writes, bool is_atomic, const z3::expr& comes) {
    const judge::object& o = kernel_.objects.at(static_cast<std::size_t>(object));
    z3::expr offset = widened(index, at, 64) * number(type::u64, static_cast<bits>(bytes_of(o.of)));
    if (o.what == judge::object::kind::tile) offset = offset & number(type::u64, 0xffffffff);
    t.accesses.push_back({line, object, writes, is_atomic, comes, offset.simplify(), *t.interval});
  }

  // Numbers.
  z3::expr of(thread& t, const expr& e, const z3::expr& comes) {
    const auto& shape = shapes[static_cast<std::size_t>(kernel_.shape)];
    const auto extent = [&](std::size_t axis) { return number(type::u32, static_cast<bits>(shape[axis])); };
    switch (e.what) {
      case op::literal: return number(e.of, e.number);
      case op::scalar: return scalars_.at(static_cast<std::size_t>(e.index));
      case op::name: return named(t, e.index);
      case op::thread_x: return z3::urem(*t.id, extent(0));
      case op::thread_y: return z3::urem(z3::udiv(*t.id, extent(0)), extent(1));
      case op::thread_z: return z3::udiv(*t.id, extent(0) * extent(1));
      case op::block_x: return t.block[0];
      case op::block_y: return t.block[1];
      case op::block_z: return t.block[2];
      case op::grid_x: return grid_[0];
      case op::grid_y: return grid_[1];
      case op::grid_z: return grid_[2];
      case op::global_x: return t.block[0] * extent(0) + z3::urem(*t.id, extent(0));
      case op::thread_index: return *t.id;
      case op::lane: return z3::urem(*t.id, number(type::u32, 32));
      case op::warp_index: return z3::udiv(*t.id, number(type::u32, 32));
      case op::load: {
        const z3::expr at = of(t, e.in[0], comes);
        touch(t, e.index, e.in[0].of, at, e.line, false, false, comes);
        if (kernel_.objects.at(static_cast<std::size_t>(e.index)).what != object::kind::in) return unknown(e.of);
        const z3::expr place = widened(e.in[0].of, at, 64), value = contents_[static_cast<std::size_t>(e.index)](place);
        elements_.push_back({e.index, place, value});
        return value;
      }
      case op::atomic_add: case op::atomic_max: case op::atomic_exchange: {
        const z3::expr at = of(t, e.in[0], comes);
        of(t, e.in[1], comes);
        touch(t, e.index, e.in[0].of, at, e.line, true, true, comes);
        return unknown(e.of);
      }
      default: break;
    }
    std::vector<z3::expr> in;
    for (const expr& x : e.in) in.push_back(of(t, x, comes));
    if (in.empty() || is_collective(e.what)) throw malformed("not for the solver");
    return computed(e, in, comes);
  }

  z3::expr computed(const expr& e, const std::vector<z3::expr>& in, const z3::expr& comes) {
    const type from = e.in[0].of;
    const bool is_signed_one = is_signed(from);
    const auto whole = [&](const z3::expr& holds) { whole_.push_back(z3::implies(comes, holds)); };
    switch (e.what) {
      case op::add:
        whole(z3::bvadd_no_overflow(in[0], in[1], is_signed_one));
        if (is_signed_one) whole(z3::bvadd_no_underflow(in[0], in[1]));
        return in[0] + in[1];
      case op::sub:
        whole(z3::bvsub_no_underflow(in[0], in[1], is_signed_one));
        if (is_signed_one) whole(z3::bvsub_no_overflow(in[0], in[1]));
        return in[0] - in[1];
      case op::mul:
        whole(z3::bvmul_no_overflow(in[0], in[1], is_signed_one));
        if (is_signed_one) whole(z3::bvmul_no_underflow(in[0], in[1]));
        return in[0] * in[1];
      case op::div: return is_signed_one ? in[0] / in[1] : z3::udiv(in[0], in[1]);
      case op::rem: return is_signed_one ? z3::srem(in[0], in[1]) : z3::urem(in[0], in[1]);
      case op::min: return z3::ite(below(from, in[0], in[1]), in[0], in[1]);
      case op::max: return z3::ite(below(from, in[0], in[1]), in[1], in[0]);
      case op::bit_and: return in[0] & in[1];
      case op::bit_or: return in[0] | in[1];
      case op::bit_xor: return in[0] ^ in[1];
      case op::shl: case op::shr: {
        const z3::expr by = width_of(from) == 64 ? z3::zext(in[1], 32) : in[1];
        if (e.what == op::shl) {
          whole(z3::lshr(z3::shl(in[0], by), by) == in[0]);
          return z3::shl(in[0], by);
        }
        return is_signed_one ? z3::ashr(in[0], by) : z3::lshr(in[0], by);
      }
      case op::lt: return below(from, in[0], in[1]);
      case op::ge: return !below(from, in[0], in[1]);
      case op::gt: return below(from, in[1], in[0]);
      case op::le: return !below(from, in[1], in[0]);
      case op::eq: return in[0] == in[1];
      case op::ne: return in[0] != in[1];
      case op::logic_and: return in[0] && in[1];
      case op::logic_or: return in[0] || in[1];
      case op::logic_not: return !in[0];
      case op::negate: return -in[0];
      case op::bit_not: return ~in[0];
      case op::select: return z3::ite(in[0], in[1], in[2]);
      case op::cast: {
        if (is_float(from) || is_float(e.of)) break;
        if (from == type::b) return z3::ite(in[0], number(e.of, 1), number(e.of, 0));
        if (e.of == type::b) return in[0] != number(from, 0);
        if (width_of(e.of) > width_of(from)) return widened(from, in[0], width_of(e.of));
        return width_of(e.of) == width_of(from) ? in[0] : in[0].extract(static_cast<unsigned>(width_of(e.of) - 1), 0);
      }
      default: break;
    }
    throw malformed("not for the solver");
  }

  static z3::expr below(type t, const z3::expr& a, const z3::expr& b) { return is_signed(t) ? a < b : z3::ult(a, b); }

  launch launch_of(const z3::model& m) {
    const auto bits_of = [&](const z3::expr& e) -> bits {
      const z3::expr v = m.eval(e, true);
      if (v.is_bool()) return v.is_true() ? 1 : 0;
      std::uint64_t out = 0;
      return Z3_get_numeral_uint64(context_, v, &out) ? out : 0;
    };
    launch out;
    for (std::size_t axis = 0; axis < 3; ++axis) out.grid[axis] = static_cast<std::uint32_t>(bits_of(grid_[axis]));
    for (const z3::expr& s : scalars_) out.scalars.push_back(bits_of(s));
    out.data = 1;
    for (const element& e : elements_) out.elements[{e.object, static_cast<std::int64_t>(bits_of(e.at))}] = bits_of(e.value);
    return out;
  }

  static constexpr int rounds = 3;  // of a loop

  const kernel& kernel_;
  z3::context context_;
  int next_ = 0;
  std::vector<z3::expr> scalars_, grid_;
  std::vector<z3::func_decl> contents_;
  std::vector<z3::expr> known_;  // what holds of every launch
  std::vector<z3::expr> whole_;  // what holds where no sum or product leaves its type
  std::vector<element> elements_;
  std::array<thread, 2> threads_{};
  std::optional<z3::expr> is_same_block_;
};

}  // namespace judge
