// A ring of tiles that asynchronous copies fill while earlier ones are read.
//
//   auto a = tg::stages<float, 3>(tg::shape<64, 16>, tg::pitch<20>);
//   tg::async_copy(a.fill(slot).vec<4>(row, col), x.vec<4>(i));     // a tile that is written
//   auto ready = filled.wait(1_c);  block.sync();
//   auto tile = a.read(ready, slot);                                // compiles once a group has landed
#pragma once

#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/memory/shared.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: which stage is read, counted back from the newest.
template <long long> struct stage_of_age {};
/// In a compile error: how many groups have landed.
template <int> struct landed_groups {};

template <bool Ok, class Facts = void> struct landed_stage {
  static_assert(Ok, "TG146: this stage is read before a wait has let its group land");
};

}  // namespace diagnosis

/// The rows of one stage, read or written. `Whole` is the tile of all stages, `First` the type of its first row's number.
template <class Whole, int Rows, mode Mode, class First> class stage_view {
 public:
  using element_type = typename Whole::element_type;
  static constexpr int rank = 2;
  static constexpr int rows = Rows;
  static constexpr int columns = Whole::columns;
  static constexpr int element_bytes = Whole::element_bytes;

  TG_ALWAYS_INLINE stage_view(const Whole& whole, First first) : whole_(whole, detail::same_memory{}), first_(first) {}
  /// Another name of these rows, since a stage owns no memory.
  TG_ALWAYS_INLINE stage_view(const stage_view& other) : stage_view(other.whole_, other.first_) {}

  template <index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  auto operator()(const R& row, const C& column, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element<element_type, Mode>, 1>(first_ + row, column, excuse, where);
  }
  /// N consecutive elements in one instruction.
  template <int N, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  auto vec(const R& row, const C& column, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_element<element_type, N, Mode>, N>(first_ + row, column, excuse, where);
  }

  const Whole& whole() const { return whole_; }
  First first_row() const { return first_; }

 private:
  template <class Element, int N, class R, class C, class Excuse>
  TG_ALWAYS_INLINE Element make(const R& row, const C& column, const Excuse& excuse, source_location where) const {
    using found = typename detail::shared_judgement<Whole, N, Excuse, R, C>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return Element(whole_.template find<N, Excuse>(where, excuse.reason, row, column));
    else return Element({});
  }

  Whole whole_;
  First first_;
};

/// `Count` tiles of T one below the other; made by `stages`.
template <class T, int Count, class Shape, class Layout> class stages_t {
  static_assert(
      Shape::rank == 2 && Count > 0,
      "TG119: tg::stages<float, 3>(tg::shape<64, 64>) has a number of stages, at least 1, and the shape of one, of rank 2");
  using whole = tile<T, shape_t<Count * Shape::extent(0), Shape::extent(1)>, Layout>;
  using height = constant<Shape::extent(0)>;

 public:
  static constexpr int count = Count;
  static constexpr int rows = Shape::extent(0);
  static constexpr int columns = Shape::extent(1);
  static constexpr int size_bytes = whole::size_bytes;

  TG_ALWAYS_INLINE explicit stages_t(source_location where) : whole_(where) {}

  /// The tile of a stage, to be written. Requires: stage is below `count`.
  template <index_like S> auto fill(const S& stage) const { return part<mode::write>(stage * height{}); }

  /// The tile of all stages, one below the other; that copies to it have landed is not checked here.
  const whole& all() const { return whole_; }

  /// The tile of a stage, to be read: that of the `age`-th oldest of the groups that `groups` says have landed.
  /// Requires: stage is below `count`; a barrier stands between the wait and the read. Errors: TG146.
  template <int Pending, int Landed, index_like S, long long Age = 0>
  auto read(const async_groups<Pending, Landed>&, const S& stage, constant<Age> /*age*/ = {}) const {
    using facts = diagnosis::types<diagnosis::stage_of_age<Age>, diagnosis::landed_groups<Landed>>;
    using found = diagnosis::landed_stage<(Age >= 0 && Age < Landed), facts>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return part<mode::read>(stage * height{});
    else return part<mode::read>(constant<0>{});
  }

  /// The tile of a stage that a ring of mbarriers has handed to this thread as full (tg/dsl/bulk/bulk_ring.hpp).
  /// Errors: TG147 for one that was released.
  template <class Landed> requires requires { typename Landed::landed_stage; }
  auto read(const Landed& stage, source_location where = source_location::current()) const {
    stage.require_kept(where);
    return part<mode::read>(stage.index * height{});
  }
  /// Refuses the number of a stage of which nothing says that its copies have landed. Errors: TG146.
  template <index_like S> stage_view<whole, rows, mode::read, constant<0>> read(const S& /*stage*/) const {
    (void)sizeof(diagnosis::landed_stage<sizeof(S) == 0, S>);
    return part<mode::read>(constant<0>{});
  }

 private:
  template <mode Mode, class First> TG_ALWAYS_INLINE stage_view<whole, rows, Mode, First> part(First first) const {
    return {whole_, first};
  }

  whole whole_;
};

/// `Count` tiles for a pipeline of asynchronous copies. Errors: TG123, TG124 for all of them together.
template <class T, int Count, int... Extents, class Layout = void*>
stages_t<T, Count, shape_t<Extents...>, Layout> stages(shape_t<Extents...>, Layout = {},
                                                       source_location where = source_location::current()) {
  return stages_t<T, Count, shape_t<Extents...>, Layout>(where);
}

}  // namespace tg
