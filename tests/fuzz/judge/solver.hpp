// Asks z3 for a launch that refutes what is said of a random kernel: two threads, their blocks, the arguments and what
// the read-only buffers hold are bit-vectors. Loops are followed for a few rounds. What the solver finds is run to see
// it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <z3++.h>

#include "bit_vectors.hpp"
#include "brute_force.hpp"

namespace judge {

/// One way in which what is said of a kernel is wrong: the fault, and what the bit-vectors hold when it is there.
struct possibility {
  fault what;  // without an overflow
  bool may_wrap = false;
  z3::expr holds;
};

class solver : bit_vectors {
 public:
  /// Says of a fault whether it is to be looked for: not at all, where no number leaves its type, or anywhere.
  enum class wanted { no, whole, any };

  /// What the solver says of a list of possibilities.
  struct answer {
    enum class kind { none, found, gave_up } said = kind::none;
    launch how;
    std::vector<std::size_t> which;  // that `how` is to show
  };

  solver(z3::context& context, const kernel& k) : bit_vectors(context), kernel_(k) {
    for (const type t : k.scalars) scalars_.push_back(unknown(t));
    z3::expr blocks = number(type::u32, 1);
    for (int axis = 0; axis < 3; ++axis) {
      grid_.push_back(small(3));
      known_.push_back(z3::uge(grid_.back(), 1));
      blocks = blocks * grid_.back();
    }
    known_.push_back(z3::ule(blocks, 6));
    const auto& shape = shapes[static_cast<std::size_t>(k.shape)];
    for (thread& t : threads_) {
      z3::expr id = number(type::u32, 0);
      for (std::size_t axis = 3; axis-- > 0;) {
        t.at.insert(t.at.begin(), small(static_cast<bits>(shape[axis] - 1)));
        id = id * number(type::u32, static_cast<bits>(shape[axis])) + t.at.front();
      }
      t.id = id.simplify();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        t.block.push_back(small(2));
        known_.push_back(z3::ult(t.block[axis], grid_[axis]));
      }
      t.interval = number(type::u32, 0);
      run(t, k.body, context_.bool_val(true));
    }
  }

  /// The faults that `how_wanted` asks for. A fault between blocks is asked for once for each axis along which the
  /// blocks differ.
  std::vector<possibility> possibilities(const std::function<wanted(const fault&)>& how_wanted) {
    std::vector<possibility> out;
    const auto add = [&](const fault& f, const z3::expr& holds) {
      const wanted w = how_wanted(f);
      if (w != wanted::no) out.push_back({f, w == wanted::any, holds});
    };
    const auto differs = [&](std::size_t axis) { return threads_[0].block[axis] != threads_[1].block[axis]; };
    const z3::expr is_same_block = !differs(0) && !differs(1) && !differs(2);
    for (const access& a : threads_[0].accesses) {
      const object& o = kernel_.objects[static_cast<std::size_t>(a.object)];
      const bool is_tile = o.what == object::kind::tile;
      const int size = (is_tile ? o.elements : o.at_least) * bytes_of(o.of);
      if (size > 0)
        add({tg::question::extents, a.line, a.line, false, {}, {}},
            a.comes && z3::ugt(a.offset, number(type::u64, static_cast<bits>(size - bytes_of(o.of)))));
      for (const access& b : threads_[1].accesses) {
        if (a.object != b.object || (!a.writes && !b.writes) || (a.is_atomic && b.is_atomic) || b.line < a.line) continue;
        const fault f{is_tile ? tg::question::shared_race : tg::question::global_race, a.line, b.line, false, {}, {}};
        const z3::expr both = a.comes && b.comes && a.offset == b.offset;
        add(f, both && is_same_block && *threads_[0].id != *threads_[1].id && a.interval == b.interval);
        if (!is_tile) between_blocks(f, both, how_wanted, out);
      }
    }
    for (std::size_t n = 0; n < std::min(threads_[0].barriers.size(), threads_[1].barriers.size()); ++n) {
      const auto &a = threads_[0].barriers[n], &b = threads_[1].barriers[n];
      add({tg::question::barrier, a.first, a.first, false, {}, {}}, is_same_block && a.second && !b.second);
    }
    return out;
  }

  /// A launch in which one of the possibilities is there that are still to be looked for. Cost: at most `effort` of
  /// z3's steps.
  answer find(const std::vector<possibility>& all, const std::vector<std::size_t>& which, bool may_wrap, unsigned effort) {
    answer out;
    z3::expr_vector any(context_);
    for (const std::size_t n : which) any.push_back(all[n].holds);
    z3::solver ask(context_, "QF_BV");
    z3::params limits(context_);
    limits.set("rlimit", effort);
    ask.set(limits);
    for (const z3::expr& e : known_) ask.add(e);
    if (!may_wrap)
      for (const z3::expr& e : whole_) ask.add(e);
    ask.add(z3::mk_or(any));
    const z3::check_result said = ask.check();
    if (said == z3::unknown) out.said = answer::kind::gave_up;
    if (said != z3::sat) return out;
    out.said = answer::kind::found;
    const z3::model model = ask.get_model();
    out.how = launch_of(model);
    for (const std::size_t n : which)
      if (model.eval(all[n].holds, true).is_true()) out.which.push_back(n);
    return out;
  }

 private:
  struct access {
    int line;
    int object;
    bool writes, is_atomic;
    z3::expr comes, offset, interval;
  };
  struct thread {
    std::optional<z3::expr> id;
    std::vector<z3::expr> at, block;
    std::optional<z3::expr> interval;
    std::map<int, z3::expr> names;
    std::vector<access> accesses;
    std::vector<std::pair<int, z3::expr>> barriers;  // line, and who comes
  };
  struct element {
    int object;
    z3::expr at, value;
  };

  // The two accesses are in blocks that differ along axes that are asked for, and along no others.
  void between_blocks(const fault& f, const z3::expr& both, const std::function<wanted(const fault&)>& how_wanted,
                      std::vector<possibility>& out) {
    for (const wanted w : {wanted::whole, wanted::any}) {
      z3::expr_vector one(context_);
      z3::expr holds = both;
      fault between = f;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        fault along = f;
        along.differs[axis] = true;
        const z3::expr differs = threads_[0].block[axis] != threads_[1].block[axis];
        if (how_wanted(along) == w) one.push_back(differs), between.differs[axis] = true;
        else holds = holds && !differs;
      }
      if (!one.empty()) out.push_back({between, w == wanted::any, holds && z3::mk_or(one)});
    }
  }

  // Statements.
  void run(thread& t, const std::vector<stmt>& body, const z3::expr& comes) {
    for (const stmt& s : body) run(t, s, comes);
  }

  void run(thread& t, const stmt& s, const z3::expr& comes) {
    switch (s.what) {
      case stmt::kind::let:
      case stmt::kind::var: declare(t, s.index, of(t, s.in[0], comes)); return;
      case stmt::kind::array: {
        const z3::expr first = of(t, s.in[0], comes);
        for (int n = 0; n < s.times; ++n) declare(t, s.index + n, first);
        return;
      }
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
  void assign(thread& t, int index, const z3::expr& x, const z3::expr& comes) {
    declare(t, index, z3::ite(comes, x, named(t, index)).simplify());
  }

  void touch(thread& t, int object, type index, const z3::expr& at, int line, bool writes, bool is_atomic,
             const z3::expr& comes) {
    const judge::object& o = kernel_.objects.at(static_cast<std::size_t>(object));
    z3::expr offset = widened(index, at, 64) * number(type::u64, static_cast<bits>(bytes_of(o.of)));
    if (o.what == judge::object::kind::tile) offset = offset & number(type::u64, 0xffffffff);
    t.accesses.push_back({line, object, writes, is_atomic, comes, offset.simplify(), *t.interval});
  }

  // Numbers.
  z3::expr of(thread& t, const expr& e, const z3::expr& comes) {
    switch (e.what) {
      case op::literal: return number(e.of, e.number);
      case op::scalar: return scalars_.at(static_cast<std::size_t>(e.index));
      case op::name: return named(t, e.index);
      case op::thread_x: return t.at[0];
      case op::thread_y: return t.at[1];
      case op::thread_z: return t.at[2];
      case op::block_x: return t.block[0];
      case op::block_y: return t.block[1];
      case op::block_z: return t.block[2];
      case op::grid_x: return grid_[0];
      case op::grid_y: return grid_[1];
      case op::grid_z: return grid_[2];
      case op::global_x:
        return t.block[0] * number(type::u32, static_cast<bits>(shapes[static_cast<std::size_t>(kernel_.shape)][0])) + t.at[0];
      case op::thread_index: return *t.id;
      case op::lane: return z3::urem(*t.id, number(type::u32, 32));
      case op::warp_index: return z3::udiv(*t.id, number(type::u32, 32));
      case op::load:
      case op::load_relaxed:
      case op::load_acquire: {
        const z3::expr at = of(t, e.in[0], comes);
        touch(t, e.index, e.in[0].of, at, e.line, false, e.what != op::load, comes);
        if (kernel_.objects.at(static_cast<std::size_t>(e.index)).what != object::kind::in) return unknown(e.of);
        return element_at(e.index, e.of, widened(e.in[0].of, at, 64).simplify());
      }
      case op::atomic_add:
      case op::atomic_max:
      case op::atomic_exchange:
      case op::store_relaxed:
      case op::store_release: {
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

  // What a read-only buffer holds: equal indices, equal numbers.
  z3::expr element_at(int object, type t, const z3::expr& at) {
    for (const element& e : elements_)
      if (e.object == object && z3::eq(e.at, at)) return e.value;
    const z3::expr value = unknown(t);
    for (const element& e : elements_)
      if (e.object == object) known_.push_back(z3::implies(e.at == at, e.value == value));
    elements_.push_back({object, at, value});
    return value;
  }

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
  std::vector<z3::expr> scalars_, grid_;
  std::vector<element> elements_;
  std::array<thread, 2> threads_{};
};

}  // namespace judge
