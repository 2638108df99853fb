// A ring of stages that copies fill and consumers empty: two mbarriers for each stage, whose phases the ring counts.
//
//   auto ring = tg::bulk_ring<4>(block, tg::consumer_warps<8>);
//   const auto a = tg::stages<tg::bf16, 4>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
//   block.sync();
//   auto fills = ring.producer();                                    // one thread
//   tg::for_(tg::range(steps), [&](auto k) {
//     const auto stage = fills.next();                               // waits until the consumers have left the stage
//     stage.fill(tg::tensor_copy(a.fill(stage.index), map, row, k * 64_c));
//   });
//   auto reads = ring.consumer();                                    // each thread of the consumers
//   tg::for_(tg::range(steps), [&](auto k) {
//     const auto stage = reads.next();                               // waits until the copies have landed
//     ... a.read(stage) ...
//     stage.release(block.warp());
//   });
//
// Nobody names a parity: a producer waits for stages to be empty, the first round of which passes at once, a consumer waits for
// them to be full, and each counts the rounds in registers.
#pragma once

#include <utility>

#include <tg/dsl/bulk/mbarriers.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/warp/warp.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct released_stage {
  static_assert(Ok, "TG147: a ring of tg::consumer_warps has its stages released by stage.release(warp), a ring of "
                    "tg::consumer_threads by stage.release()");
};
template <bool Ok, class Facts = void> struct ring_of_stages {
  static_assert(Ok, "TG147: a ring has 1 to 64 stages, and tg::consumer_warps<N> or tg::consumer_threads<N>, no more than the "
                    "block has");
};
}  // namespace diagnosis

/// Who empties a stage: `N` warps, one lane of each of which says so, or `N` threads.
template <int N> struct consumer_warps_t { static constexpr int arrivals = N; };
/// `N` threads empty a stage; each says so.
template <int N> struct consumer_threads_t { static constexpr int arrivals = N; };
/// `N` warps empty a stage.
template <int N> inline constexpr consumer_warps_t<N> consumer_warps{};
/// `N` threads empty a stage.
template <int N> inline constexpr consumer_threads_t<N> consumer_threads{};

namespace detail {

/// Where a thread is in a ring.
class ring_position {
 public:
  explicit ring_position(source_location where) : stage_(0u, where), round_(0u, where) {}

  /// The stage and the parity of its round; the position goes on. `count`: of stages.
  std::pair<value<unsigned>, value<unsigned>> step(int count, source_location where) {
    tracer::begin(where);
    const value<unsigned> stage = stage_.get(), round = round_.get();
    const auto next = stage + constant<1>{};
    const auto wraps = next == static_cast<unsigned>(count);
    auto& t = tracer::current();
    const auto chosen = [&](const ptx::operand& a, const ptx::operand& b) {
      return value<unsigned>{t.compute(ptx::token::b32, ptx::operation::select(ptx::token::b32), {a, b, wraps.operand})};
    };
    stage_ = chosen(ptx::operand::integer(0), next.operand);
    round_ = chosen((round ^ 1u).operand, round.operand);
    return {stage, round};
  }

 private:
  var<unsigned> stage_;
  var<unsigned> round_;
};

using stage_index = value<unsigned, index::single<index::uniform<1>>>;

inline stage_index to_stage_index(const value<unsigned>& stage, source_location where) {
  return assumed_uniform<1>(stage, where);
}

}  // namespace detail

/// Whether C is `consumer_warps_t<N>`.
template <class C> inline constexpr bool is_consumer_warps = false;
template <int N> inline constexpr bool is_consumer_warps<consumer_warps_t<N>> = true;
/// How many threads empty a stage.
template <class C> inline constexpr int threads_of_consumers = 0;
template <int N> inline constexpr int threads_of_consumers<consumer_warps_t<N>> = 32 * N;
template <int N> inline constexpr int threads_of_consumers<consumer_threads_t<N>> = N;

/// A stage that is empty, from `producer.next()`.
template <class Barriers> class [[nodiscard]] empty_stage {
 public:
  empty_stage(const Barriers& full, const detail::stage_index& stage) : index(stage), full_(full) {}

  /// Which one, for `tg::stages::fill`.
  detail::stage_index index;

  /// Begins the copies that make it full, and expects their bytes. Requires: once for each stage. Errors: TG147.
  /// PTX: mbarrier.arrive.expect_tx of their sum, cp.async.bulk.
  template <class... Copies> void fill(const Copies&... copies) const { full_.expect(index, copies...); }

 private:
  const Barriers& full_;
};

/// A stage whose copies have landed, from `consumer.next()`: what `tg::stages::read` takes.
template <class Barriers, class Consumers> class [[nodiscard]] full_stage {
 public:
  using landed_stage = void;

  full_stage(const Barriers& empty, const detail::stage_index& stage)
      : index(stage), empty_(empty), begin_(detail::recorded_length()) {}

  /// Which one.
  detail::stage_index index;

  /// This warp has read what it reads of the stage, products of wgmma waited for. Requires: called by all lanes of the warp,
  /// once for each stage. Errors: TG147. PTX: bar.warp.sync, mbarrier.arrive by one lane.
  template <class L, class I>
  void release(const warp_handle<L, I>& warp, source_location where = source_location::current()) const {
    using found = diagnosis::released_stage<is_consumer_warps<Consumers>, Consumers>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      leave(where);
      warp.sync(where);
      if_(warp.lane == constant<0>{}, [&] { empty_.arrive(index, where); }, where);
    }
  }
  /// This thread has. Errors: TG147. PTX: mbarrier.arrive.
  void release(source_location where = source_location::current()) const {
    using found = diagnosis::released_stage<!is_consumer_warps<Consumers>, Consumers>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) leave(where), empty_.arrive(index, where);
  }
  /// Errors: TG147 for a stage that has been released: it may be filled again.
  void require_kept(source_location where) const {
    if (is_released_)
      detail::refuse_phase("is over: its stage has been released, and may be filled again",
                           "release a stage once, behind all that reads it", where);
  }

 private:
  // What a branch releases is still that of those who do not take it.
  void leave(source_location where) const {
    require_kept(where);
    is_released_ = !detail::is_in_body_since(begin_);
  }

  const Barriers& empty_;
  std::size_t begin_;
  mutable bool is_released_ = false;
};

/// The place of the thread that fills the stages; from `ring.producer()`.
template <int Stages, class Barriers> class ring_producer {
 public:
  ring_producer(const Barriers& full, const Barriers& empty, source_location where) : full_(full), empty_(empty), at_(where) {}

  /// Waits until the consumers have left the next stage; the first round does not wait. PTX: mbarrier.try_wait.parity.
  empty_stage<Barriers> next(source_location where = source_location::current()) {
    const auto [stage, round] = at_.step(Stages, where);
    const auto index = detail::to_stage_index(stage, where);
    detail::wait_at(empty_.address(index, where), (round ^ 1u).operand, Barriers::is_clustered, where);
    return {full_, index};
  }

 private:
  const Barriers& full_;
  const Barriers& empty_;
  detail::ring_position at_;
};

/// The place of a thread that empties them; from `ring.consumer()`.
template <int Stages, class Barriers, class Consumers> class ring_consumer {
 public:
  ring_consumer(const Barriers& full, const Barriers& empty, source_location where) : full_(full), empty_(empty), at_(where) {}

  /// Waits until the copies to the next stage have landed. PTX: mbarrier.try_wait.parity.
  full_stage<Barriers, Consumers> next(source_location where = source_location::current()) {
    const auto [stage, round] = at_.step(Stages, where);
    const auto index = detail::to_stage_index(stage, where);
    detail::wait_at(full_.address(index, where), round.operand, Barriers::is_clustered, where);
    return {empty_, index};
  }

 private:
  const Barriers& full_;
  const Barriers& empty_;
  detail::ring_position at_;
};

/// The mbarriers of a ring, made by `tg::bulk_ring`.
template <int Stages, bool IsClustered, class Consumers> class bulk_ring_t {
  using barriers = mbarriers_t<Stages, IsClustered>;

 public:
  static constexpr int stages = Stages;

  bulk_ring_t(barriers full, barriers empty)
      : full_(std::move(full)), empty_(std::move(empty)), begin_(detail::recorded_length()) {}
  bulk_ring_t(const bulk_ring_t&) = delete;
  void operator=(const bulk_ring_t&) = delete;

  /// The place of the one thread that fills the stages, at the first. Errors: TG147 in a loop, each turn of which would begin
  /// at the first stage.
  ring_producer<Stages, barriers> producer(source_location where = source_location::current()) const {
    detail::refuse_within_loop(begin_, where);
    return {full_, empty_, where};
  }
  /// The place of a thread that empties them, at the first. All consumers go round alike.
  ring_consumer<Stages, barriers, Consumers> consumer(source_location where = source_location::current()) const {
    detail::refuse_within_loop(begin_, where);
    return {full_, empty_, where};
  }

 private:
  barriers full_, empty_;
  std::size_t begin_;
};

/// Two mbarriers for each of `Stages` stages. Requires: `block.sync()` stands in front of the first use; called by all threads;
/// one thread fills the stages, and of the consumers each warp or thread empties all of them. Errors: TG147.
/// PTX: mbarrier.init; sm_90.
template <int Stages, class Shape, class Consumers>
bulk_ring_t<Stages, detail::is_clustered<Shape>, Consumers> bulk_ring(const block_handle<Shape>& block, Consumers,
                                                                      source_location where = source_location::current()) {
  constexpr int threads = threads_of_consumers<Consumers>;
  constexpr bool fits = Stages >= 1 && Stages <= 64 && threads >= 1 && threads <= Shape::threads;
  using found = diagnosis::ring_of_stages<fits, diagnosis::types<Consumers, Shape>>;
  (void)sizeof(found);
  return {mbarriers<Stages>(block, constant<1>{}, where),
          mbarriers<Stages>(block, constant<(fits ? Consumers::arrivals : 1)>{}, where)};
}

}  // namespace tg
