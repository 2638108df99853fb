// The block that a kernel runs in; its type carries the shape.
#pragma once

#include <tg/dsl/warp/warp.hpp>

namespace tg {

/// Threads of a block in each direction.
template <int X, int Y = 1, int Z = 1> struct block_t {
  static constexpr int x = X;
  static constexpr int y = Y;
  static constexpr int z = Z;
  static constexpr int threads = X * Y * Z;
};

/// The shape given to `kernel`: `tg::block<256>`, `tg::block<32, 8>`.
template <int X, int Y = 1, int Z = 1> inline constexpr block_t<X, Y, Z> block{};

/// Three coordinates.
template <class X, class Y, class Z> struct coordinates {
  X x;
  Y y;
  Z z;
};

namespace detail {

/// The coordinates of a thread, its block and the grid: x, y and z of each.
struct block_registers { ptx::operand thread[3], index[3], grid[3], global[3]; };

/// Reads them at the beginning of a kernel for blocks of `x` * `y` * `z` threads. A direction of one thread has coordinate 0.
block_registers read_block(int x, int y, int z);

/// Make what `block.warpgroup()` and `block.cluster()` give; defined by the headers of these words.
template <class Block> struct warpgroup_maker;
template <class Block> struct cluster_maker;

/// Whether the header of reductions over blocks is there: it defines the type.
template <class Block> struct block_reductions;
template <class Block> inline constexpr bool has_block_reductions = requires { sizeof(block_reductions<Block>); };
template <class Block, class X> const X& without_block_reductions(const X& x) {
  static_assert(sizeof(Block) == 0, "TG139: include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp");
  return x;
}

/// index * extent + thread in 64 bits, without `thread` where the extent is 1.
ptx::operand wide_index(const ptx::operand& index, int extent, const ptx::operand& thread);

}  // namespace detail

/// First argument of a kernel's lambda. The thread's coordinates remember what each lane holds; `index` is the block's
/// place in the grid, `global` the thread's place in the grid, `grid` the number of blocks.
template <class Shape> class block_handle {
  template <char Axis> using thread_form = index::single<index::thread<Axis, Shape::x, Shape::y, Shape::z>>;
  using uniform_form = index::single<index::uniform<1>>;
  template <class Form> using u32 = value<unsigned, Form>;
  template <char Axis, int Extent> using own = u32<std::conditional_t<Extent == 1, index::number<0>, thread_form<Axis>>>;
  template <char Axis, int Extent>
  using global_own = u32<index::plus<index::times<uniform_form, index::number<Extent>>, typename own<Axis, Extent>::form>>;

 public:
  using shape = Shape;

  coordinates<own<'x', Shape::x>, own<'y', Shape::y>, own<'z', Shape::z>> thread;
  coordinates<u32<uniform_form>, u32<uniform_form>, u32<uniform_form>> index;
  coordinates<u32<uniform_form>, u32<uniform_form>, u32<uniform_form>> grid;
  coordinates<constant<Shape::x>, constant<Shape::y>, constant<Shape::z>> size{};
  coordinates<global_own<'x', Shape::x>, global_own<'y', Shape::y>, global_own<'z', Shape::z>> global;

  block_handle() : block_handle(detail::read_block(Shape::x, Shape::y, Shape::z)) {}

  /// index.x * size.x + thread.x: the number of the thread in a one-dimensional grid.
  auto global_index() const { return global.x; }

  /// index.x * size.x + thread.x in 64 bits, for grids of more than 2^32 threads. A launch refuses a grid whose blocks do
  /// not fit the 32 bits of the other coordinates that the kernel computes with (TG573).
  auto global_index64() const {
    using form = typename global_own<'x', Shape::x>::form;
    return value<std::uint64_t, form>{detail::wide_index(index.x.operand, Shape::x, thread.x.operand)};
  }

  /// Number of the thread in its block, x fastest.
  auto thread_index() const {
    if constexpr (Shape::y == 1 && Shape::z == 1) return thread.x;
    else if constexpr (Shape::z == 1) return thread.x + thread.y * size.x;
    else return thread.x + (thread.y + thread.z * size.y) * size.x;
  }

  /// Waits until all threads of the block are here; their writes to shared and global memory are seen after it.
  /// PTX: bar.sync 0; where the block has a producer, bar.sync 15 of the other threads.
  void sync(source_location where = source_location::current()) const {
    using ptx::operand, ptx::token;
    auto& t = detail::tracer::begin(where);
    if constexpr (requires { Shape::more_threads; })
      t.emit(ptx::opcode::bar, {token::sync}, {operand::integer(15), operand::integer(Shape::threads)});
    else t.emit(ptx::opcode::bar, {token::sync}, {operand::integer(0)});
  }

  /// The warp of this thread. Errors: TG117 unless the block is made of whole warps.
  auto warp() const {
    (void)sizeof(diagnosis::whole_warps<Shape::threads % 32 == 0, Shape>);
    const auto linear = thread_index();
    const auto lane = linear % constant<32>{};
    const auto number = linear / constant<32>{};
    return warp_handle<typename decltype(lane)::form, typename decltype(number)::form>{lane, number};
  }

  /// Reductions over the block: `tg::block_sum(block, x)` and its neighbours of tg/dsl/block/block_reduce.hpp.
  template <class X, class Own = block_handle> auto sum(const X& x, source_location where = source_location::current()) const {
    if constexpr (detail::has_block_reductions<Own>) return block_sum(*this, x, where);
    else return detail::without_block_reductions<Own>(x);
  }
  template <class X, class Own = block_handle> auto max(const X& x, source_location where = source_location::current()) const {
    if constexpr (detail::has_block_reductions<Own>) return block_max(*this, x, where);
    else return detail::without_block_reductions<Own>(x);
  }
  template <class X, class Own = block_handle> auto min(const X& x, source_location where = source_location::current()) const {
    if constexpr (detail::has_block_reductions<Own>) return block_min(*this, x, where);
    else return detail::without_block_reductions<Own>(x);
  }
  template <class X, class F, class Own = block_handle>
  auto combine(const X& x, F f, source_location where = source_location::current()) const {
    if constexpr (detail::has_block_reductions<Own>) return block_combine(*this, x, f, where);
    else return detail::without_block_reductions<Own>(x);
  }

  /// The warpgroup of this thread: tg/dsl/wgmma/warpgroup.hpp. Errors: TG153 unless the block is made of whole warpgroups.
  template <class Own = block_handle> auto warpgroup() const {
    if constexpr (requires { sizeof(detail::warpgroup_maker<Own>); }) return detail::warpgroup_maker<Own>::make(*this);
    else static_assert(sizeof(Own) == 0, "TG139: include tg/dsl/wgmma/warpgroup.hpp, or tg/tg.hpp");
  }
  /// The cluster of this block: tg/dsl/cluster/cluster.hpp. Errors: TG154 where the kernel has none.
  template <class Own = block_handle> auto cluster() const {
    if constexpr (requires { sizeof(detail::cluster_maker<Own>); }) return detail::cluster_maker<Own>::make(*this);
    else static_assert(sizeof(Own) == 0, "TG139: include tg/dsl/cluster/cluster.hpp, or tg/tg.hpp");
  }

 private:
  explicit block_handle(const detail::block_registers& r)
      : thread{r.thread[0], r.thread[1], r.thread[2]},
        index{r.index[0], r.index[1], r.index[2]},
        grid{r.grid[0], r.grid[1], r.grid[2]},
        global{r.global[0], r.global[1], r.global[2]} {}
};

}  // namespace tg
