// Groups of bulk copies from shared memory that a thread has begun, counted in types.
//
//   tg::bulk_store(y, first, tile);
//   auto one = tg::bulk_groups<>().commit();       // the copies since the last commit are a group
//   auto read = one.wait_read();                    // the tile may be written again, by this thread
//   read.wait();                                    // y has the elements
//
// All of it is done by the thread that begins the copies: `tg::if_(block.thread.x == 0u, [&] { ... })`.
// Source: PTX ISA 9.0, "cp.async.bulk.commit_group", "cp.async.bulk.wait_group".
#pragma once

#include <optional>
#include <utility>

#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/bulk/copy_instruction.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/recorder/refusal.hpp>

namespace tg {

/// `Pending` groups of this thread are under way, the tiles of the youngest `Unread` may still be read. Each state is left
/// once: `commit` and the waits give the next. Errors: TG144 when a state is left twice.
template <int Pending = 0, int Unread = Pending> requires(Pending >= 0 && Unread >= 0 && Unread <= Pending)
class bulk_groups {
 public:
  static constexpr int pending = Pending;
  static constexpr int unread = Unread;

  bulk_groups() requires(Pending == 0)
  = default;
  bulk_groups(bulk_groups&& other) { other.leave({}); }
  bulk_groups& operator=(bulk_groups&&) = delete;

  /// The copies begun since the last commit are one more group. PTX: cp.async.bulk.commit_group.
  bulk_groups<Pending + 1, Unread + 1> commit(source_location where = source_location::current()) {
    leave(where);
    detail::record_copy({ptx::token::async, ptx::token::bulk, ptx::token::commit_group}, {}, where);
    return bulk_groups<Pending + 1, Unread + 1>(*this);
  }

  /// Waits until at most `N` groups are under way: what the others copied is there, for all who see what this thread does next.
  /// Errors: TG143 unless N is below the groups that are pending. PTX: cp.async.bulk.wait_group N.
  template <long long N = 0> auto wait(constant<N> = {}, source_location where = source_location::current()) {
    return wait_for<N, (N < Unread ? N : Unread), false, (N >= 0 && N < Pending)>(where);
  }
  /// Waits until at most `N` groups may still read their tiles: the others may be written again, by this thread, and behind a
  /// barrier by all. Errors: TG143 unless N is below the groups that may. PTX: cp.async.bulk.wait_group.read N.
  template <long long N = 0> auto wait_read(constant<N> = {}, source_location where = source_location::current()) {
    return wait_for<Pending, N, true, (N >= 0 && N < Unread)>(where);
  }

 private:
  template <int P, int U> requires(P >= 0 && U >= 0 && U <= P)
  friend class bulk_groups;
  template <int P, int U> explicit bulk_groups(const bulk_groups<P, U>& /*before*/) {}

  template <long long Left, long long LeftUnread, bool Reads, bool Waits> auto wait_for(source_location where) {
    using facts = diagnosis::types<diagnosis::committed<Pending>, diagnosis::left_pending<Reads ? LeftUnread : Left>>;
    using found = diagnosis::wait_for_groups<Waits, facts>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      leave(where);
      detail::record_copy(
          {ptx::token::async, ptx::token::bulk, ptx::token::wait_group, Reads ? ptx::token::read : ptx::token::none},
          {ptx::operand::integer(Reads ? LeftUnread : Left)}, where);
      return bulk_groups<static_cast<int>(Left), static_cast<int>(LeftUnread)>(*this);
    }
  }

  void leave(source_location where) {
    if (is_left_)
      detail::refuse(code{144}, "a state of the groups of bulk copies is left twice",
                     "go on with what commit() and wait() return", where);
    is_left_ = true;
  }

  bool is_left_ = false;
};

/// A counted loop whose body takes the groups and returns as many pending and unread ones. Returns: the groups after the loop.
/// Errors: TG145.
template <class Range, int Pending, int Unread, class Body>
bulk_groups<Pending, Unread> for_groups(const Range& range, bulk_groups<Pending, Unread> groups, Body&& body,
                                        source_location where = source_location::current()) {
  using state = bulk_groups<Pending, Unread>;
  std::optional<state> after;
  for_(
      range,
      [&](auto i) -> void {
        auto left = body(i, std::move(groups));
        using next = decltype(left);
        constexpr bool is_steady = std::is_same_v<next, state>;
        using found = diagnosis::steady_groups<is_steady, diagnosis::types<state, next>>;
        if constexpr (diagnosis::is_ok<sizeof(found), found>) after.emplace(std::move(left));
      },
      where);
  return std::move(*after);
}

}  // namespace tg
