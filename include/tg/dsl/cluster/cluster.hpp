// What the blocks of a cluster do together, and their shared memory.
//
//   auto cluster = block.cluster();
//   cluster.sync();                                        // all blocks have begun, what they wrote is seen
//   auto other = cluster.tile(own, cluster.rank ^ 1u);     // the tile of the neighbour
//   y(i) = other(i) + own(i);
//   cluster.sync();                                        // no block leaves while others read its tile
#pragma once

#include <tg/dsl/cluster/cluster_shape.hpp>
#include <tg/dsl/cluster/remote_tile.hpp>
#include <tg/dsl/memory/memory_order.hpp>

namespace tg {

namespace detail {

/// A special register that is the same in all threads of a block.
ptx::operand read_of_cluster(ptx::special s);
/// A block of the cluster, by its number. Errors: TG154 for a number that is known and none of `blocks` has.
ptx::operand block_of_cluster(const ptx::operand& rank, int blocks, source_location where);
/// One half of a barrier of the cluster.
void meet_cluster(ptx::token half, ptx::token order, source_location where);

}  // namespace detail

/// This thread has come to a barrier of its cluster and is still to wait; from `cluster.arrive()`.
class [[nodiscard]] cluster_arrival {
 public:
  /// Waits until all threads of the cluster have come; what they wrote before is seen after it. PTX: barrier.cluster.wait.
  void wait(source_location where = source_location::current()) const {
    detail::meet_cluster(ptx::token::wait, ptx::token::none, where);
  }
};

/// The cluster of the calling thread's block; from `block.cluster()`. `rank`: which of its blocks this one is, `index`: where
/// in each direction.
template <class Cluster> class cluster_handle {
  using number = value<unsigned, index::single<index::uniform<1>>>;

 public:
  using shape = Cluster;

  number rank;
  coordinates<number, number, number> index;
  constant<Cluster::blocks> size{};

  cluster_handle()
      : rank{detail::read_of_cluster(ptx::special::cluster_ctarank)},
        index{detail::read_of_cluster(ptx::special::cluster_ctaid_x), detail::read_of_cluster(ptx::special::cluster_ctaid_y),
              detail::read_of_cluster(ptx::special::cluster_ctaid_z)} {}

  /// Waits until all threads of all blocks are here; what they wrote to shared and global memory is seen after it.
  /// Requires: all lanes of a warp come together. PTX: barrier.cluster.arrive, barrier.cluster.wait.
  void sync(source_location where = source_location::current()) const { arrive(where).wait(where); }
  /// Counts as come; the wait may follow later: `const auto come = cluster.arrive(); ...; come.wait();`. With
  /// `tg::order::relaxed` nothing that was written before need be seen. Errors: TG158.
  template <order O = order::release> cluster_arrival arrive(source_location where = source_location::current()) const {
    using found = diagnosis::ordering<O == order::release || O == order::relaxed, diagnosis::given_order<O>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      detail::meet_cluster(ptx::token::arrive, O == order::relaxed ? ptx::token::relaxed : ptx::token::none, where);
    return {};
  }

  /// What `own` is in block `rank` of the cluster. Requires: rank is below `size`. Errors: TG154. PTX: mapa.shared::cluster.
  template <class T, class Shape, class Layout, operand_like R>
  remote_tile<tg::tile<T, Shape, Layout>> tile(const tg::tile<T, Shape, Layout>& own, const R& rank,
                                               source_location where = source_location::current()) const {
    return {own, detail::block_of_cluster(detail::argument<unsigned>(rank), Cluster::blocks, where), where};
  }
};

namespace detail {

template <class Shape> struct cluster_maker<block_handle<Shape>> {
  static auto make(const block_handle<Shape>&) {
    constexpr bool has_producer = requires { Shape::more_threads; };
    using found = diagnosis::block_in_cluster<is_clustered<Shape>, Shape>;
    using alone = diagnosis::cluster_without_producer<!has_producer, Shape>;
    if constexpr (has_producer) (void)sizeof(alone);
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return cluster_handle<cluster_around<Shape>>();
    else return cluster_handle<cluster_t<1>>();
  }
};

}  // namespace detail

}  // namespace tg
