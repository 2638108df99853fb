// A tile of another block of the cluster: distributed shared memory.
#pragma once

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/argument.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct remote_element {
  static_assert(Ok, "TG154: the tile of another block is read and written by numbers, not by structs");
};
}  // namespace diagnosis

namespace detail {

/// The address of another block's tile. PTX: mapa.shared::cluster.u32.
ptx::operand map_tile(const tile_registers& own, const ptx::operand& rank, source_location where);
/// The address of element `index` of what begins at `base` in another block.
ptx::operand remote_address(const ptx::operand& base, int element_bytes, const ptx::operand& index);

}  // namespace detail

/// The tile of another block that the tile of this block stands for; from `cluster.tile(own, rank)`. Elements are read,
/// assigned and given to atomics as those of a tile, and judged as these are: the banks of the other block serve them.
/// Requires: the other block has begun and does not end before: `cluster.sync()` stands in front of the first access and behind
/// the last. Errors: TG116, TG154, TG201, TG203, TG204. PTX: ld.shared::cluster, st.shared::cluster, atom.shared::cluster.
template <class Tile> class remote_tile : public detail::read_by_call<remote_tile<Tile>> {
 public:
  using element_type = typename Tile::element_type;
  static constexpr int rank = Tile::rank;

  remote_tile(const Tile& own, const ptx::operand& block, source_location where)
      : own_(own, detail::same_memory{}), base_(detail::map_tile(own.registers(), block, where)) {
    (void)sizeof(diagnosis::remote_element<scalar_type<element_type>, element_type>);
  }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element<element_type, mode::read_write>, 1>(excuse, where, i);
  }
  template <index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element<element_type, mode::read_write>, 1>(excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  auto operator()(const I& i, const J& j, const K& k, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return make<element<element_type, mode::read_write>, 1>(excuse, where, i, j, k);
  }

  /// N consecutive elements in one instruction. Errors: TG111, TG203.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  auto vec(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_element<element_type, N, mode::read_write>, N>(excuse, where, i);
  }
  template <int N, index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  auto vec(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_element<element_type, N, mode::read_write>, N>(excuse, where, i, j);
  }

 private:
  template <class Element, int N, class Excuse, class... I>
  Element make(const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::shared_judgement<Tile, N, Excuse, I...>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      detail::place at = own_.template find<N, Excuse>(where, excuse.reason, indices...);
      at.space = ptx::token::shared_cluster;
      at.address = detail::remote_address(base_, Tile::element_bytes, own_.locate(where, indices...).operand);
      return Element(at);
    } else {
      return Element({});
    }
  }

  Tile own_;
  ptx::operand base_;
};

}  // namespace tg
