// Barriers in shared memory that count arrivals and bytes of asynchronous copies: mbarrier.
//
//   auto full = tg::mbarriers<1>(block, 1);           // one arrival completes a phase, once the expected bytes are there
//   block.sync();                                     // behind it all threads may use them
//   auto phase = full.phase(0_c);
//   tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, first)); });
//   auto next = phase.wait();                         // the tile is there; `next` waits for the second phase
//
// Phases are counted by types or by a ring (bulk_ring.hpp), so that nobody waits for the wrong parity.
// Source: PTX ISA 9.0, "Parallel Synchronization and Communication Instructions: mbarrier".
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/block/block.hpp>
#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/flow/if_.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: arrivals that complete a phase.
template <long long> struct arrivals {};
/// In a compile error: how many mbarriers there are.
template <int> struct barriers {};

template <bool Ok, class Facts = void> struct barrier_in_memory {
  static_assert(Ok, "TG147: there is no such mbarrier: a phase has 1 to 1048575 arrivals and as many bytes at most, numbers "
                    "begin at 0 and are below the count of the barriers");
};
template <bool Ok, class Facts = void> struct expected_copies {
  static_assert(Ok, "TG147: expect takes the number of the barrier, then copies: tg::bulk_copy(...), tg::tensor_copy(...), "
                    "tg::from_another_block(...)");
};

}  // namespace diagnosis

namespace detail {

inline constexpr long long most_arrivals = (1 << 20) - 1;  // and bytes. Source: PTX ISA 9.0, "Contents of the mbarrier object".

/// Memory for `count` mbarriers.
tile_registers make_mbarriers(int count, source_location where);
/// mbarrier.init of each, and the fences by which others see it.
void init_mbarriers(const tile_registers& at, int count, const ptx::operand& arrivals, bool is_clustered,
                    source_location where);
/// One arrival at the mbarrier at `address`; with `bytes`, an integer above 0, that many more are expected.
/// `is_remote`: of another block of the cluster.
void arrive_at(const ptx::operand& address, std::int64_t bytes, bool is_remote, source_location where);
/// So many more bytes are expected; no arrival.
void expect_at(const ptx::operand& address, std::int64_t bytes, source_location where);
/// Goes on once the phase of this parity, an integer or a register, is over.
void wait_at(const ptx::operand& address, const ptx::operand& parity, bool is_clustered, source_location where);
/// Whether the phase of this parity is over: a predicate.
ptx::operand test_at(const ptx::operand& address, const ptx::operand& parity, source_location where);
void invalidate_mbarriers(const tile_registers& at, int count, source_location where);

/// How many instructions and markers are recorded.
std::size_t recorded_length();
/// Whether a branch or a loop that began behind the first `begin` of them has not ended.
bool is_in_body_since(std::size_t begin);
/// Errors: TG147 for a phase in a loop that began behind the first `begin` instructions and has not ended.
void refuse_within_loop(std::size_t begin, source_location where);
[[noreturn]] void refuse_phase(const char* what, const char* fix, source_location where);
/// Errors: TG147 for a count that no phase has.
void require_arrivals(long long count, source_location where);

/// What `expect` counts and begins.
template <class X>
concept expected_copy = requires(const X& x, const ptx::operand& address, source_location where) {
  { X::bytes } -> std::convertible_to<long long>;
  x.begin(address, where);
};

template <class S, int Count> inline constexpr bool is_barrier_number = true;
template <long long N, int Count> inline constexpr bool is_barrier_number<constant<N>, Count> = N >= 0 && N < Count;

}  // namespace detail

/// A phase of one mbarrier that this thread has not waited for; `Parity` is that of its number. From `mbarriers::phase`; each
/// wait gives the next. Errors: TG147 for a phase that is waited for twice, or in a loop that it began outside of.
template <int Parity, bool IsClustered = false> class [[nodiscard]] mbarrier_phase {
 public:
  static constexpr int parity = Parity;

  explicit mbarrier_phase(const ptx::operand& address) : address_(address), begin_(detail::recorded_length()) {}
  mbarrier_phase(mbarrier_phase&& other) : address_(other.address_), begin_(other.begin_) {
    is_over_ = other.is_over_;
    other.is_over_ = true;
  }
  mbarrier_phase& operator=(mbarrier_phase&&) = delete;

  /// Waits until the phase is over: all arrivals have come, and all bytes that they expect. What the other threads wrote
  /// before they arrived is seen, and what was copied. Returns: the next phase. PTX: mbarrier.try_wait.parity in a loop.
  mbarrier_phase<1 - Parity, IsClustered> wait(source_location where = source_location::current()) {
    leave(where);
    detail::wait_at(address_, ptx::operand::integer(Parity), IsClustered, where);
    return mbarrier_phase<1 - Parity, IsClustered>(address_);
  }
  /// Whether it is over, without waiting; what was copied may be read where it holds. PTX: mbarrier.test_wait.parity.
  value<bool> is_over(source_location where = source_location::current()) const {
    if (is_over_) detail::refuse_phase("is asked for behind the wait for it", "ask the phase that wait() returned", where);
    detail::refuse_within_loop(begin_, where);
    return {detail::test_at(address_, ptx::operand::integer(Parity), where)};
  }

 private:
  void leave(source_location where) {
    if (is_over_) detail::refuse_phase("is waited for twice", "go on with what wait() returns", where);
    detail::refuse_within_loop(begin_, where);
    is_over_ = true;
  }

  ptx::operand address_;
  std::size_t begin_;
  bool is_over_ = false;
};

/// `Count` mbarriers beside each other, made by `tg::mbarriers<Count>(block, arrivals)`.
template <int Count, bool IsClustered = false> class mbarriers_t {
 public:
  static constexpr int count = Count;
  static constexpr bool is_clustered = IsClustered;

  mbarriers_t(const detail::tile_registers& at) : at_(at), begin_(detail::recorded_length()) {}
  mbarriers_t(const mbarriers_t&) = delete;
  mbarriers_t(mbarriers_t&&) = default;
  void operator=(const mbarriers_t&) = delete;

  /// One arrival at barrier `number`. What this thread did before is seen by those who wait. PTX: mbarrier.arrive.
  template <operand_like S> void arrive(const S& number, source_location where = source_location::current()) const {
    if (const ptx::operand at = address(number, where); !at.is(ptx::operand_kind::none)) detail::arrive_at(at, 0, false, where);
  }
  /// One arrival at barrier `number` that expects the bytes of these copies, and then the copies: called by one thread.
  /// `tg::from_another_block(copy)` counts what another block copies here. Errors: TG147.
  /// PTX: mbarrier.arrive.expect_tx of their sum, cp.async.bulk.
  template <operand_like S, class... Copies> void expect(const S& number, const Copies&... copies) const {
    begin<true>(number, detail::tracer::current().where(), copies...);
  }
  /// As `expect`, with no arrival: the arrival comes later. PTX: mbarrier.expect_tx.
  template <operand_like S, class... Copies> void expect_only(const S& number, const Copies&... copies) const {
    begin<false>(number, detail::tracer::current().where(), copies...);
  }
  /// One arrival at barrier `number` of block `rank` of the cluster, which is told nothing of bytes.
  /// PTX: mapa, mbarrier.arrive.release.cluster.shared::cluster.
  template <operand_like S, operand_like R>
  void arrive_in(const R& rank, const S& number, source_location where = source_location::current()) const {
    static_assert(IsClustered, "TG154: the blocks of this kernel form no clusters; write tg::block<128> | tg::cluster<2>");
    if (const ptx::operand at = address(number, where); !at.is(ptx::operand_kind::none))
      detail::arrive_at(in_block(rank, number, where), 0, true, where);
  }

  /// The first phase of barrier `number`, a constant. Errors: TG147 when it is asked for a second time, or in a loop.
  template <long long N>
  mbarrier_phase<0, IsClustered> phase(constant<N> number, source_location where = source_location::current()) {
    const ptx::operand at = address(number, where);
    detail::refuse_within_loop(begin_, where);
    bool& is_given = is_given_[static_cast<std::size_t>(N)];
    if (is_given)
      detail::refuse_phase("has been given before: there may have been a wait for it",
                           "ask each barrier once and hand its phases on", where);
    is_given = true;
    return mbarrier_phase<0, IsClustered>(at);
  }

  /// The memory may be used otherwise; nobody uses the barriers any more. Called by one thread. PTX: mbarrier.inval.
  void invalidate(source_location where = source_location::current()) const { detail::invalidate_mbarriers(at_, Count, where); }

  /// The address of barrier `number`, for words that wait for it or arrive at it. Errors: TG147.
  template <operand_like S> ptx::operand address(const S& number, source_location where) const {
    using found =
        diagnosis::barrier_in_memory<detail::is_barrier_number<S, Count>, diagnosis::types<S, diagnosis::barriers<Count>>>;
    if constexpr (!diagnosis::is_ok<sizeof(found), found>) return {};
    else {
      detail::tracer::begin(where);
      const ptx::operand own = detail::operand_of<unsigned>(number);
      if (own.is(ptx::operand_kind::integer) && (own.value < 0 || own.value >= Count))
        detail::refuse_phase("is of a barrier that there is not", "take a number below the count of the barriers", where);
      return detail::tile_address(at_, 8, own);
    }
  }
  /// The address of barrier `number` in block `rank` of the cluster.
  template <operand_like S, operand_like R> ptx::operand in_block(const R& rank, const S& number, source_location where) const {
    return detail::remote_address(detail::map_tile(at_, detail::argument<unsigned>(rank), where), 8,
                                  detail::operand_of<unsigned>(number));
  }

 private:
  template <bool Arrives, class S, class... Copies>
  void begin(const S& number, source_location where, const Copies&... copies) const {
    constexpr bool are_copies = sizeof...(Copies) > 0 && (... && detail::expected_copy<Copies>);
    using given = diagnosis::expected_copies<are_copies, diagnosis::types<Copies...>>;
    if constexpr (diagnosis::is_ok<sizeof(given), given>) {
      constexpr long long bytes = (0ll + ... + Copies::bytes);
      using found = diagnosis::barrier_in_memory<(bytes <= detail::most_arrivals), diagnosis::bytes<bytes>>;
      if constexpr (diagnosis::is_ok<sizeof(found), found>) {
        const ptx::operand at = address(number, where);
        if (at.is(ptx::operand_kind::none)) return;
        if constexpr (Arrives) detail::arrive_at(at, bytes, false, where);
        else detail::expect_at(at, bytes, where);
        (copies.begin(at, where), ...);
      }
    }
  }

  detail::tile_registers at_;
  std::size_t begin_;
  fixed_array<bool, Count> is_given_{};
};

/// `Count` mbarriers, each of whose phases ends with `arrivals` arrivals and all bytes that were expected. One thread of the
/// block initialises them. Requires: `block.sync()`, or `cluster.sync()` where other blocks use them, stands in front of the
/// first use; called by all threads, outside of loops. Errors: TG147.
/// PTX: mbarrier.init, fence.proxy.async, in a cluster fence.mbarrier_init; sm_90.
template <int Count, class Shape, operand_like A>
mbarriers_t<Count, detail::is_clustered<Shape>> mbarriers(const block_handle<Shape>& block, const A& arrivals,
                                                          source_location where = source_location::current()) {
  static_assert(Count > 0 && Count <= 1024, "TG147: tg::mbarriers<Count> requires a count of 1 to 1024");
  if constexpr (is_constant<A>) {
    constexpr bool fits = A::value >= 1 && A::value <= detail::most_arrivals;
    (void)sizeof(diagnosis::barrier_in_memory<fits, diagnosis::arrivals<A::value>>);
  } else if constexpr (host_number<A>) {
    detail::require_arrivals(static_cast<long long>(arrivals), where);
  }
  detail::refuse_within_loop(0, where);
  const detail::tile_registers at = detail::make_mbarriers(Count, where);
  const ptx::operand count = detail::operand_of<unsigned>(arrivals);
  if_(
      block.thread_index() == constant<0>{},
      [&] { detail::init_mbarriers(at, Count, count, detail::is_clustered<Shape>, where); }, where);
  return {at};
}

}  // namespace tg
