// The groups of asynchronous copies that a thread has begun, counted in a type, so that a wait that waits for nothing and
// a read of what was not waited for do not compile.
//
//   tg::async_groups start;                     // async_groups<>
//   tg::async_copy(...);  auto one = start.commit();
//   tg::async_copy(...);  auto two = one.commit();
//   auto ready = two.wait(1_c);                 // at most one group is still under way: the older one has landed
//   block.sync();                               // and with it what the other threads copied
#pragma once

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/verdict/missing_types.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: how many groups of copies were committed.
template <int> struct committed {};
/// In a compile error: how many groups the wait lets stay pending.
template <long long> struct left_pending {};

template <bool Ok, class Facts = void> struct wait_for_groups {
  static_assert(Ok, "TG143: this wait waits for nothing: fewer groups are committed than may stay pending, or as many");
};
template <bool Ok, class Facts = void> struct steady_groups {
  static_assert(Ok, "TG145: the body of this loop leaves other groups of copies pending than it found");
};

}  // namespace diagnosis

namespace detail {

/// `Pending` groups that were committed, and no other state of them.
template <int Pending, int Landed = 0> async_groups<Pending, Landed> groups_under_way();

// A state of the groups is left, once.
inline void leave_groups(bool& is_left, source_location where) {
  if (is_left)
    refuse(code{144}, "a state of the groups of asynchronous copies is left twice",
           "go on with what commit() and wait() return", where);
  is_left = true;
}
inline void commit_copies(source_location where) {
  tracer& t = tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::cp, {ptx::token::async, ptx::token::commit_group}, {});
}
inline void wait_for_copies(int pending, source_location where) {
  tracer& t = tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::cp, {ptx::token::async, ptx::token::wait_group}, {ptx::operand::integer(pending)});
}

}  // namespace detail

/// `Pending` groups are under way; the last wait made `Landed` groups complete, the oldest first. Each state is left once:
/// `commit` and `wait` give the next. Errors: TG144 when a state is left twice.
template <int Pending, int Landed> requires(Pending >= 0 && Landed >= 0)
class async_groups<Pending, Landed> {
 public:
  static constexpr int pending = Pending;
  static constexpr int landed = Landed;

  async_groups() requires(Pending == 0 && Landed == 0)
  = default;
  TG_ALWAYS_INLINE async_groups(async_groups&& other) { detail::leave_groups(other.is_left_, {}); }
  async_groups& operator=(async_groups&&) = delete;
  /// From a state with the same pending groups and more landed ones, which this type does not count.
  template <int More> requires(More > Landed)
  async_groups(async_groups<Pending, More>&& other) {
    detail::leave_groups(other.is_left_, {});
  }

  /// The copies begun since the last commit are one more group. PTX: cp.async.commit_group.
  async_groups<Pending + 1, 0> commit(source_location where = source_location::current()) {
    detail::leave_groups(is_left_, where);
    detail::commit_copies(where);
    return async_groups<Pending + 1, 0>(*this);
  }

  /// Waits until at most `N` groups are under way. What this thread copied is then there; `block.sync()` after it makes it so
  /// for all threads. Errors: TG143 unless N is below the groups that are pending. PTX: cp.async.wait_group N.
  template <long long N = 0> auto wait(constant<N> = {}, source_location where = source_location::current()) {
    constexpr bool waits = N >= 0 && N < Pending;
    using found =
        diagnosis::wait_for_groups<waits, diagnosis::types<diagnosis::committed<Pending>, diagnosis::left_pending<N>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      detail::leave_groups(is_left_, where);
      detail::wait_for_copies(N, where);
      constexpr auto left = static_cast<int>(N);
      return async_groups<left, Pending - left>(*this);
    }
  }

 private:
  template <int, int> friend class async_groups;
  template <int P, int L> friend async_groups<P, L> detail::groups_under_way();
  template <int P, int L> TG_ALWAYS_INLINE explicit async_groups(const async_groups<P, L>& /*before*/) {}

  bool is_left_ = false;
};

namespace detail {
template <int Pending, int Landed> async_groups<Pending, Landed> groups_under_way() {
  return async_groups<Pending, Landed>(async_groups<>());
}
}  // namespace detail

/// A counted loop whose body takes the groups and returns as many pending ones, with at least as many landed:
/// `auto rest = tg::for_groups(tg::range(n), std::move(filled), [&](auto k, auto groups) { ...; return next; });`.
/// Returns: the groups after the loop. Errors: TG145.
template <class Range, int Pending, int Landed, class Body>
async_groups<Pending, Landed> for_groups(const Range& range, async_groups<Pending, Landed> groups, Body&& body,
                                         source_location where = source_location::current()) {
  using state = async_groups<Pending, Landed>;
  for_(
      range,
      [&](auto i) -> void {
        auto left = body(i, static_cast<decltype(groups)&&>(groups));
        using next = decltype(left);
        constexpr bool is_steady = next::pending == Pending && next::landed >= Landed;
        using found = diagnosis::steady_groups<is_steady, diagnosis::types<state, next>>;
        if constexpr (diagnosis::is_ok<sizeof(found), found>)
          (void)state(static_cast<decltype(left)&&>(left));  // left here, and found again below
      },
      where);
  return detail::groups_under_way<Pending, Landed>();
}

}  // namespace tg
