// A warpgroup more that fetches what the pipelines of a kernel want: `tg::block<256> | tg::for_sm<90> | tg::producer`.
//
// The body of the kernel sees the other threads, the consumers, and is written as without. Consumers and producer meet at
// mbarriers alone: nobody waits for the slowest warp in each step, and copies for the next tile of a result begin while the
// consumers still store the one before. The producer gives back registers, which the consumers take.
#pragma once

#include <tg/base/extremes.hpp>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/bulk/mbarriers.hpp>
#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/cluster/cluster_shape.hpp>
#include <tg/dsl/cluster/register_count.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/kernel/for_sm.hpp>
#include <tg/dsl/recorder/block_barriers.hpp>

namespace tg {

/// See `producer`.
struct producer_t {};
/// An option of a block, the last one: 128 threads more fetch the stages of pipelines that tensor copies fill and that stand
/// in no loop or branch. The body does not see them: `block.size` and `tg::cover` count the others. For kernels for sm_90. In
/// a cluster, `tg::block<256> | tg::cluster<2> | tg::for_sm<90> | tg::producer`, a rectangle that all of its blocks want is
/// copied once: each block copies a part of the rows to all of them.
/// Requires: 128, 256, ... 896 threads in a row, at least one such pipeline. Uses barriers 14 and 15. Errors: TG611; TG612
/// where the producer cannot compute what a stage holds; TG154 for block.cluster(); TG199 for words that meet all threads of
/// it. PTX: setmaxnreg, mbarrier, .multicast::cluster.
inline constexpr producer_t producer{};

/// A block shape with a producer behind its threads.
template <class Shape> struct producer_block : Shape { static constexpr int more_threads = 128; };

namespace diagnosis {
template <bool Ok, class Facts = void> struct block_with_producer {
  static_assert(Ok,
                "TG611: tg::producer stands behind tg::for_sm<90>, on a block of 128 to 896 threads in a row, a multiple of "
                "128: tg::block<256> | tg::for_sm<90> | tg::producer");
};
}  // namespace diagnosis

namespace detail {

template <class Shape> inline constexpr unsigned more_threads_of<producer_block<Shape>> = producer_block<Shape>::more_threads;
template <class Shape> inline constexpr unsigned max_registers_of<producer_block<Shape>> = max_registers_of<Shape>;
// One block at least: a bound, without which ptxas ignores setmaxnreg.
template <class Shape>
inline constexpr unsigned min_blocks_of<producer_block<Shape>> = min_blocks_of<Shape> != 0 ? min_blocks_of<Shape> : 1;

template <class Shape>
inline constexpr analysis::block_extent cluster_shape_of<producer_block<Shape>> = cluster_shape_of<Shape>;

template <class Shape> inline constexpr bool has_producer = requires { Shape::more_threads; };

/// Registers of a thread while the kernel runs.
struct shared_out_registers { int producer, consumer; };
/// What the producer gives back, the consumers take. Source: PTX ISA 9.0, "setmaxnreg", 24 to 256 in steps of 8.
template <class Shape>
inline constexpr shared_out_registers registers_with_producer = [] {
  constexpr int more = Shape::more_threads, own = Shape::threads, all = own + more;
  constexpr int blocks = larger_of(1, static_cast<int>(min_blocks_of<Shape>));
  constexpr int bound = static_cast<int>(max_registers_of<Shape>);
  constexpr int at_launch =
      bound != 0 ? bound / 8 * 8 : smaller_of(248, largest_multiprocessor.registers / blocks / all / 8 * 8);
  constexpr int left = smaller_of(24, at_launch);
  return shared_out_registers{left, larger_of(at_launch, smaller_of(240, (at_launch * all - left * more) / own / 8 * 8))};
}();

/// Remembers that the recording has a producer: the conditions of those that run the body, and of those that fetch.
void begin_producer(const ptx::operand& consumes, const ptx::operand& fetches);
/// Errors: TG611 where the body has no pipeline that the producer fetches for.
void require_fetches(source_location where);
/// The condition of those that fetch: what is recorded in a branch on it runs in the producer.
value<bool> begin_fetch();
/// Whether the statement that is recorded stands in a branch or a loop of the body.
bool is_nested_in_consumers();

/// The number of a thread among all that the block is launched with.
template <class Shape> auto launched_thread(const block_handle<Shape>& block) {
  return value<unsigned, index::single<index::thread<'x', Shape::threads + Shape::more_threads, 1, 1>>>{block.thread.x.operand};
}

/// The consumers run the body, the producer what is moved there when all is recorded.
template <class Shape> struct body_caller<producer_block<Shape>> {
  template <class Body, class... P> static void call(const Body& body, const P&... parameters) {
    using shape = producer_block<Shape>;
    constexpr shared_out_registers registers = registers_with_producer<shape>;
    const block_handle<shape> block;
    const source_location where = tracer::current().where();
    const auto thread = launched_thread(block);
    const value<bool> consumes{(thread < constant<shape::threads>{}).operand};
    const value<bool> fetches{(thread / constant<32>{} == constant<shape::threads / 32>{}).operand};
    begin_producer(consumes.operand, fetches.operand);
    tg::if_(
        consumes,
        [&] {
          const std::size_t begin = count_recorded();
          raise_registers<registers.consumer>(block, where);
          body(block, parameters...);
          refuse_block_barriers(begin);
          require_fetches(where);
        },
        where)
        .else_([&] { lower_registers<registers.producer>(block, where); }, where);
  }
};

/// Whether a number, made in whatever iteration, is the same in all blocks of the cluster.
bool is_alike_in_cluster(const ptx::operand& number);
/// Blocks of the cluster, 1 where there is none.
template <class Shape> inline constexpr int cluster_blocks = is_clustered<Shape> ? int{cluster_around<Shape>::blocks} : 1;

/// Consumers and the warp of the producer that fetches meet, of this block or of all blocks of the cluster: what the consumers
/// wrote is seen by it.
template <class Shape> void meet_producer(const block_handle<Shape>&, bool of_cluster, source_location where) {
  if (!of_cluster) return named_barrier<14, Shape::threads + 32>{}.sync(where);
  meet_cluster(ptx::token::arrive, ptx::token::none, where);
  meet_cluster(ptx::token::wait, ptx::token::none, where);
}

/// `fetch()` runs in one thread of the producer, behind `meet_producer` of the consumers.
template <class Shape, class Fetch>
void in_producer(const block_handle<Shape>& block, bool of_cluster, const Fetch& fetch, source_location where) {
  tg::if_(
      begin_fetch(),
      [&] {
        meet_producer(block, of_cluster, where);
        tg::if_(launched_thread(block) == constant<Shape::threads>{}, fetch, where);
        if (!of_cluster) return;
        block.warp().sync(where);
        meet_producer(block, true, where);  // as the consumers do at their end
      },
      where);
}

}  // namespace detail

/// Errors: TG611.
template <class Shape> requires requires { Shape::threads; }
constexpr producer_block<Shape> operator|(Shape, producer_t) {
  constexpr bool fits = detail::sm_of<Shape> == 90 && Shape::y == 1 && Shape::z == 1 && Shape::threads % 128 == 0 &&
                        Shape::threads <= 896 && !detail::has_producer<Shape>;
  (void)sizeof(diagnosis::block_with_producer<fits, Shape>);
  return {};
}

}  // namespace tg
