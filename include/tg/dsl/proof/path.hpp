// The conditions under which an instruction runs, and whether a choice of arguments takes a thread there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::proof {

/// A condition that holds, or does not, and the branch that asks.
struct literal {
  std::uint32_t condition = 0;
  bool holds = true;
  ptx::location where = {};
  bool is_assumed = false;  // of all who come here: nobody stays away for it
};

/// Whether the first literals of `all` have the facts of `some`.
inline bool begins_with(const dynamic_array<literal>& all, const dynamic_array<literal>& some) {
  const auto have_same_facts = [](const literal& x, const literal& y) {
    return x.condition == y.condition && x.holds == y.holds;
  };
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin(), have_same_facts);
}

/// The way to an instruction.
struct path {
  std::shared_ptr<const dynamic_array<literal>> literals = std::make_shared<const dynamic_array<literal>>();
  threads must;  // come here, given that the conditions that all threads share hold
  threads may;
  bool is_sure = true;  // no condition that all threads share is in doubt

  path with(const conditions& c, literal l) const {
    path out = *this;
    const condition& x = c[l.condition];
    if (x.what == condition::kind::known || !x.is_uniform) {
      out.must &= l.holds ? x.must : c.everyone() & ~x.may;
      out.may &= l.holds ? x.may : c.everyone() & ~x.must;
      if (x.what == condition::kind::known && (out.may == may)) return out;
    } else {
      out.is_sure = false;
    }
    auto longer = std::make_shared<dynamic_array<literal>>(*literals);
    longer->push_back(l);
    out.literals = std::move(longer);
    return out;
  }

  /// Whoever comes here may take it that the condition holds; nobody stays away for it.
  path assuming(const conditions& c, literal l) const {
    path out = *this;
    if (c[l.condition].must != c.everyone()) out.is_sure = false;
    l.is_assumed = true;
    auto longer = std::make_shared<dynamic_array<literal>>(*literals);
    longer->push_back(l);
    out.literals = std::move(longer);
    return out;
  }

  /// Whether all threads of all blocks that have not left come by it, in every launch that keeps to what is assumed.
  bool is_of_all() const {
    return std::all_of(literals->begin(), literals->end(), [](const literal& l) { return l.is_assumed; });
  }

  /// The way by which threads come, without what is assumed of them, or that alone.
  path only(bool is_assumed) const {
    path out = *this;
    auto some = std::make_shared<dynamic_array<literal>>();
    std::copy_if(literals->begin(), literals->end(), std::back_inserter(*some),
                 [&](const literal& l) { return l.is_assumed == is_assumed; });
    out.literals = std::move(some);
    return out;
  }

  /// The forms that are <= 0 for a thread that comes here.
  dynamic_array<form> facts(const conditions& c) const {
    dynamic_array<form> out;
    for (const literal& l : *literals) (void)c.facts(l.condition, l.holds, out);
    return out;
  }
};

/// Values for what a caller decides: arguments and block numbers. Iterations are the first that their symbol can mean.
/// Every number follows from these as the machine computes it, so what a choice shows happens in that launch.
class choice {
 public:
  choice(const symbols& s, const conditions& c, number argument, fixed_array<number, 3> block)
      : symbols_(s), conditions_(c), argument_(argument), block_(block) {}

  std::optional<number> value(const form& f, std::size_t thread) const {
    if (f.is_broken) return std::nullopt;
    number out = f.at(thread);
    for (const term& t : f.terms) {
      const auto x = value(t.symbol, thread);
      number more = 0;
      if (!x || __builtin_mul_overflow(t.factor, *x, &more) || __builtin_add_overflow(out, more, &out)) return std::nullopt;
    }
    return out;
  }

  /// Whether the thread comes by this path; nothing where data decides.
  std::optional<bool> takes(const path& p, std::size_t thread) const {
    bool is_known = true;
    for (const literal& l : *p.literals) {
      const auto x = truth(l.condition, thread);
      if (x && *x != l.holds) return false;
      is_known = is_known && x.has_value();
    }
    if (!is_known) return std::nullopt;
    return true;
  }

  number argument() const { return argument_; }
  const fixed_array<number, 3>& block() const { return block_; }

 private:
  std::optional<number> value(std::uint32_t id, std::size_t thread) const {
    const symbol& s = symbols_[id];
    if (s.is_iteration) return 0;
    if (s.op == operation::none && !s.is_free) return std::nullopt;
    if (s.is_free && s.example != 0) return s.example;
    if (s.is_free) return std::clamp(wished(s.special), s.low, s.high);
    if (const auto* known = numbers_.find(id, thread)) return *known;
    const auto a = value(s.left, thread), b = value(s.right, thread);
    return numbers_.keep(id, thread, a && b ? compute(s.op, *a, *b) : std::nullopt, symbols_.threads());
  }

  number wished(ptx::special s) const {
    switch (s) {
      case ptx::special::ctaid_x: return block_[0];
      case ptx::special::ctaid_y: return block_[1];
      case ptx::special::ctaid_z: return block_[2];
      case ptx::special::nctaid_x:
      case ptx::special::nctaid_y:
      case ptx::special::nctaid_z: return 2;
      default: return argument_;
    }
  }

  // Nothing where data decides: what memory holds may be bound to what else the kernel knows.
  std::optional<bool> truth(std::uint32_t id, std::size_t thread) const {
    const condition& c = conditions_[id];
    if (c.must[thread]) return true;
    if (!c.may[thread]) return false;
    switch (c.what) {
      case condition::kind::known: return c.must[thread];
      case condition::kind::inverse: {
        const auto x = truth(c.a, thread);
        return x ? std::optional(!*x) : x;
      }
      case condition::kind::both: {
        if (const auto* known = truths_.find(id, thread)) return *known;
        const auto a = truth(c.a, thread), b = truth(c.b, thread);
        if ((a && !*a) || (b && !*b)) return truths_.keep(id, thread, false, symbols_.threads());
        return truths_.keep(id, thread, a && b ? std::optional(true) : std::nullopt, symbols_.threads());
      }
      case condition::kind::at_most:
      case condition::kind::zero: {
        const auto x = value(c.left, thread);
        if (!x) return std::nullopt;
        return c.what == condition::kind::zero ? *x == 0 : *x <= 0;
      }
      case condition::kind::any:
      case condition::kind::data: break;
    }
    return std::nullopt;
  }

  // What was found, by thread. A symbol or condition may be a part of many others, each of which asks for it.
  template <class T> class memo {
   public:
    const std::optional<T>* find(std::uint32_t id, std::size_t thread) const {
      if (id >= all_.size() || all_[id].empty()) return nullptr;
      const entry& own = all_[id][thread];
      return own.is_known ? &own.found : nullptr;
    }
    std::optional<T> keep(std::uint32_t id, std::size_t thread, std::optional<T> found, std::size_t threads) {
      if (id >= all_.size()) all_.resize(id + 1);
      if (all_[id].empty()) all_[id].resize(threads);
      all_[id][thread] = {true, found};
      return found;
    }

   private:
    struct entry {
      bool is_known = false;
      std::optional<T> found = {};
    };
    dynamic_array<dynamic_array<entry>> all_;
  };

  const symbols& symbols_;
  const conditions& conditions_;
  number argument_;
  fixed_array<number, 3> block_;
  mutable memo<number> numbers_;
  mutable memo<bool> truths_;
};

/// What is tried for arguments, from generous to stingy.
inline constexpr number arguments_to_try[] = {1 << 20, 1, 2, 3, 33, 100, 257, 1000, 0};

/// `way`, unless it is left out although an example comes there: then `before`, where it begins, in doubt.
inline path checked(path way, const path& before, const symbols& s, const conditions& c) {
  if (way.may.any() || before.may.none()) return way;
  for (const number argument : arguments_to_try)
    for (const number block : {0, 1}) {
      const choice chosen(s, c, argument, {block, block, block});
      for (std::size_t t = 0; t < s.threads(); ++t)
        if (before.may[t] && chosen.takes(way, t) == true) {
          path out = before;
          out.must = {};
          out.is_sure = false;
          return out;
        }
    }
  return way;
}

}  // namespace tg::proof
