// C = epilogue(A * B) for row-major matrices of any size, transposed or not, one product or many. Tiles: the loop is five
// lines, for sm_80 and for sm_90.
#pragma once

#include <kernels/gemm_options.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Where the tile of a block lies in C: what an epilogue cuts its other operands with, or assigns to.
template <int Rows, int Columns, class First, class Down, class Across> struct gemm_place {
  First first;  // row of C where this product begins
  Down down;    // numbers of the tile
  Across across;
  value<unsigned> m, n;

  /// The tile's first row and column.
  auto row() const { return down * tg::constant<Rows>{}; }
  auto column() const { return across * tg::constant<Columns>{}; }
  /// One number for each column: a bias.
  template <class View> auto of_columns(const View& x) const { return tg::tile_at<Columns>(tg::sized(x, n), column()); }
  /// One number for each row.
  template <class View> auto of_rows(const View& x) const {
    return tg::column_at<Rows>(tg::sized(x, first + m), first + row());
  }
  /// One for each element: a residual, or another result.
  template <class View> auto of_elements(const View& x) const {
    return tg::tile_at<Rows, Columns>(tg::sized(x, first + m, n), first + row(), column());
  }
  /// One number for each column and each tile down, a row of `x` each: parts of sums down columns.
  template <class View> auto of_column_parts(const View& x) const { return of_columns(tg::row(x, down)); }
  /// One number for each row and each tile across, a row of `x` each: parts of sums along rows.
  template <class View> auto of_row_parts(const View& x) const { return of_rows(tg::row(x, across)); }
};
template <int Rows, int Columns, class First, class Down, class Across>
constexpr auto make_place(const First& first, const Down& down, const Across& across, const value<unsigned>& m,
                          const value<unsigned>& n) {
  return gemm_place<Rows, Columns, First, Down, Across>{first, down, across, m, n};
}

/// How a tile of 128 rows is shared out: by tensor cores, of which those of sm_90 want wider steps.
template <class T, int Columns, int Sm> struct gemm_plan {
  static_assert(Columns == 128 || Columns == 256, "gemm_options::columns is 128 or 256");
  static constexpr auto block = tg::block<Columns> | tg::for_sm<Sm>;
  static constexpr int step = (Sm == 90 ? 128 : 64) / static_cast<int>(sizeof(T));
  static constexpr int stages = Sm == 90 ? 3 : 4;

  static auto team(const auto& block) { return tg::warps<2, Columns / 64>(block); }
};
/// Floats: by CUDA cores.
template <int Columns, int Sm> struct gemm_plan<float, Columns, Sm> {
  static_assert(Columns == 128, "gemm_options::columns is 128 for floats");
  static constexpr auto block = tg::block<256> | tg::min_blocks<2> | tg::for_sm<Sm>;
  static constexpr int step = 16;
  static constexpr int stages = 2;

  static auto team(const auto& block) { return tg::warps<4, 2, tg::cuda_cores>(block); }
};
/// The block of a product of T.
template <gemm_options Options, class T, int Sm> constexpr auto gemm_block() {
  constexpr auto block = gemm_plan<T, Options.columns, Sm>::block;
  static_assert(!Options.producer || !std::is_same_v<T, float>, "gemm_options::producer is not for floats");
  static_assert(Options.cluster == 1 || (Options.producer && Options.band % Options.cluster == 0),
                "gemm_options::cluster is for blocks with a producer, and divides the band");
  if constexpr (!Options.producer || Sm < 90) return block;
  else {
    constexpr auto bound = block | tg::min_blocks<(Options.columns == 128 ? 2 : 1)>;
    if constexpr (Options.cluster == 1) return bound | tg::producer;
    else return bound | tg::cluster<Options.cluster> | tg::producer;
  }
}
/// Columns of A that one stage holds.
template <gemm_options Options, class T, int Sm>
inline constexpr int gemm_step = [] {
  constexpr int step = gemm_plan<T, Options.columns, Sm>::step;
  return Options.right_transposed && step < 32 ? 32 : step;
}();
template <class T> using gemm_leading = tg::multiple_of<16 / static_cast<int>(sizeof(T))>;

/// The rows of C that one product has, and the rows of A and B where it begins. As A lies transposed, its columns.
template <class First, class Rows, class LeftFirst, class RightFirst> struct gemm_rows {
  First first;
  Rows m;
  LeftFirst left_first;
  RightFirst right_first;
};
template <class First, class Rows, class LeftFirst, class RightFirst>
gemm_rows(First, Rows, LeftFirst, RightFirst) -> gemm_rows<First, Rows, LeftFirst, RightFirst>;

/// What one step of a tile's products holds: rows from `row` and columns from `column` on, of k from `at` to before `end`.
template <gemm_options Options, int Step, class Rows, class A, class B, class N, class Row, class Column, class At, class End>
auto stage_of_tile(const Rows& of, const A& a, const B& b, const N& n, const Row& row, const Column& column, const At& at,
                   const End& end) {
  const auto left = [&] {
    if constexpr (Options.left_transposed)
      return tg::tile_at<Step, 128>(tg::sized(a, of.left_first + end, of.m), of.left_first + at, row);
    else return tg::tile_at<128, Step>(tg::sized(a, of.left_first + of.m, end), of.left_first + row, at);
  }();
  if constexpr (Options.right_transposed)
    return tg::stage(left,
                     tg::tile_at<Options.columns, Step>(tg::sized(b, of.right_first + n, end), of.right_first + column, at));
  else
    return tg::stage(left,
                     tg::tile_at<Step, Options.columns>(tg::sized(b, of.right_first + end, n), of.right_first + at, column));
}
/// The product of such a step.
template <gemm_options Options, class Sum>
inline constexpr auto product_of_stage = [](auto left, auto right) {
  return tg::dot<Sum>(tg::choose<Options.left_transposed>(tg::transposed(left), left),
                      tg::choose<Options.right_transposed>(tg::transposed(right), right));
};

/// The sums of one tile of a product over `from` to before `end` of k, for the rows from `row` and the columns from `column`
/// on.
template <gemm_options Options, class T, int Sm, class Block, class Rows, class A, class B, class N, class Row, class Column,
          class From, class End>
auto sum_of_tile(const Block& block, const Rows& of, const A& a, const B& b, const N& n, const Row& row, const Column& column,
                 const From& from, const End& end) {
  using plan = gemm_plan<typename gemm_elements<T>::in, Options.columns, Sm>;
  using sum_type = typename gemm_elements<T>::sum;
  constexpr int step = gemm_step<Options, typename gemm_elements<T>::in, Sm>;
  auto sum = tg::zeros<sum_type, 128, Options.columns>(plan::team(block));
  tg::add_products<plan::stages>(
      block, sum, tg::steps(end - from, tg::constant<step>{}),
      [&](auto at) { return stage_of_tile<Options, step>(of, a, b, n, row, column, from + at, end); },
      product_of_stage<Options, sum_type>);
  return sum;
}

/// One block of a product: the sum over `from` to before `end` of k.
template <gemm_options Options, class T, int Sm, class Block, class Rows, class A, class B, class C, class N, class From,
          class End, class Epilogue, class... Extra>
void multiply(const Block& block, const Rows& of, const A& a, const B& b, const C& c, const N& n, const From& from,
              const End& end, const Epilogue& epilogue, const Extra&... extra) {
  constexpr tg::constant<Options.band> band{};
  const auto down = tg::let(tg::choose<(Options.band > 1)>(block.index.y * band + block.index.x % band, block.index.y));
  const auto across = tg::let(tg::choose<(Options.band > 1)>(block.index.x / band, block.index.x));
  const auto row = tg::let(down * 128_c);
  const auto column = tg::let(across * tg::constant<Options.columns>{});
  const auto sum = sum_of_tile<Options, T, Sm>(block, of, a, b, n, row, column, from, end);
  const auto place = make_place<128, Options.columns>(of.first, down, across, of.m, n);
  place.of_elements(c) = tg::cast<typename C::element_type>(epilogue(tg::eval(sum), place, extra...));
}

/// Steps of k that a part has at most.
template <int Step, class K, class Split> auto gemm_length(const K& k, const Split& split) {
  if constexpr (tg::is_constant<Split>)
    return (k + tg::constant<Step * Split::value - 1>{}) / tg::constant<Step * Split::value>{};
  else return tg::assume_uniform(((k + tg::constant<Step - 1>{}) / tg::constant<Step>{} + split - 1_c) / split);
}

/// An epilogue that does nothing.
inline constexpr auto gemm_sums = [](const auto& sum, const auto&) { return sum; };

/// A kernel (a, b, c, m, n, k, extra...) where a is m x k, b is k x n and c is m x n, all of T: bf16, f16 or float, or
/// `gemm_types<In, Out>` with tf32, an 8-bit float or signed char. The epilogue gets the sums, a tile of float or int, and
/// where it lies, and gives a tile or an expression:
/// `gemm<tg::bf16, tg::in<float>>([](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); })`.
/// It may assign further results: `at.of_elements(second) = tg::cast<tg::bf16>(sum);`.
/// Launch with `gemm_grid(kernel, m, n)`. `sm`: the architecture;
/// `tg::choose_arch<90, 80>([](auto sm) { return gemm<Options, tg::bf16>(epilogue, sm); })` is both. Requires: m and n leave
/// 128 below 2^32, as do the rows of all products. Units: sums of floats within k * 2^-23 of the exact ones relative to |A| *
/// |B|; one rounding to T.
template <gemm_options Options, class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm(Epilogue epilogue, tg::for_sm_t<Sm> /*sm*/ = {}) {
  static_assert(Options.split != 0 || !Options.batched, "gemm: a launch has as many parts as it says, or products");
  static_assert(Options.split == 1 || std::is_same_v<Epilogue, std::remove_const_t<decltype(gemm_sums)>>,
                "gemm: parts of a product are sums, gemm_sums; give the epilogue to gemm_join, which adds them");
  using in = typename gemm_elements<T>::in;
  using out = gemm_result<Options, T>;
  using in_view = tg::in2<in, gemm_leading<in>>;
  const auto body = [epilogue](auto block, in_view a, in_view b, tg::out2<out, gemm_leading<out>> c, tg::scalar<unsigned> m,
                               tg::scalar<unsigned> n, tg::scalar<unsigned> k, Extra... extra) {
    constexpr bool is_split = Options.split != 1;
    constexpr int step = gemm_step<Options, in, Sm>;
    const auto split = tg::choose<Options.split == 0>(block.grid.z, tg::constant<Options.split>{});
    const auto z = block.index.z;
    const auto length = gemm_length<step>(k, split);
    const auto from = tg::choose<is_split>(tg::let(z % split * (length * tg::constant<step>{})), 0_c);
    const auto end = tg::choose<is_split>(tg::let(tg::max(tg::min(from + length * tg::constant<step>{}, k), from)), k.get());
    const auto first = [&](const auto& rows) { return tg::choose<Options.batched>(tg::let(z / split * rows), 0_c); };
    const gemm_rows of{tg::choose < Options.batched || is_split > (tg::let(z * m), 0_c), m.get(),
                       first(tg::choose<Options.left_transposed>(k.get(), m.get())),
                       first(tg::choose<Options.right_transposed>(n.get(), k.get()))};
    multiply<Options, T, Sm>(block, of, a, b, c, n, from, end, epilogue, extra...);
  };
  return tg::kernel<"gemm">(gemm_block<Options, in, Sm>(), with_tile<Options>(body));
}
template <class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm(Epilogue epilogue, tg::for_sm_t<Sm> sm = {}) {
  return gemm<gemm_options{}, T, Extra...>(epilogue, sm);
}

/// The options behind the type. Errors: TG166.
template <class T, gemm_options Options, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm(Epilogue epilogue, tg::for_sm_t<Sm> sm = {}) {
  (void)sizeof(options_of_gemm<sizeof(T) == 0, T>);
  return gemm<Options, T, Extra...>(epilogue, sm);
}

/// Products of different heights, as experts of a network have them: product g multiplies the rows of A from `starts(g)` to
/// before `starts(g + 1)` by matrix g of those below each other in B, into the same rows of C. Launch with
/// `gemm_grid(kernel, rows of the largest, n, products)`. Requires: `starts` ascends; from each start on, the tiles of the
/// largest product, in whole bands, end below 2^32. All else as `gemm` says.
template <gemm_options Options, class T, class... Extra, class Epilogue, int Sm = 80>
constexpr auto gemm_grouped(Epilogue epilogue, tg::for_sm_t<Sm> /*sm*/ = {}) {
  static_assert(!Options.left_transposed && Options.split == 1, "gemm_grouped: the rows of A are those of C, in one part");
  using in = typename gemm_elements<T>::in;
  using out = typename gemm_elements<T>::out;
  using in_view = tg::in2<in, gemm_leading<in>>;
  return tg::kernel<"gemm_grouped">(
      gemm_block<Options, in, Sm>(),
      with_tile<Options>([epilogue](auto block, in_view a, in_view b, tg::out2<out, gemm_leading<out>> c,
                                    tg::in<unsigned> starts, tg::scalar<unsigned> n, tg::scalar<unsigned> k, Extra... extra) {
        const auto product = block.index.z;
        const auto first = tg::let(starts(product));
        const auto behind = tg::let(starts(product + 1_c));
        tg::assume(first <= behind);
        constexpr unsigned rows = 128 * (Options.band > 1 ? Options.band : 1);
        tg::assume(first <= 0xffffffffu - rows - block.index.y * tg::constant<rows>{});
        const auto m = tg::let(behind - first);
        const gemm_rows of{first, m, first, tg::let(product * tg::choose<Options.right_transposed>(n.get(), k.get()))};
        const auto down = tg::choose<(Options.band > 1)>(block.index.y * tg::constant<Options.band>{}, block.index.y);
        const auto end = tg::let(tg::select(down * 128_c < m, k, 0u));  // a shorter product has no tile here
        multiply<Options, T, Sm>(block, of, a, b, c, n, 0_c, end, epilogue, extra...);
      }));
}

/// C = epilogue(sum of its parts): (parts, c, m, n, extra...) after a `gemm` of the same options, whose `split` says how many
/// there are. Launch with `gemm_join_grid(m, n, count)`.
template <gemm_options Options, class T, class... Extra, class Epilogue> constexpr auto gemm_join(Epilogue epilogue) {
  using sum_type = typename gemm_elements<T>::sum;
  using out = typename gemm_elements<T>::out;
  return tg::kernel<"gemm_join">(
      tg::block<128>, [epilogue](auto block, tg::in2<sum_type, tg::multiple_of<4>> parts, tg::out2<out, gemm_leading<out>> c,
                                 tg::scalar<unsigned> m, tg::scalar<unsigned> n, Extra... extra) {
        const auto row = tg::let(block.index.y * 16_c);
        const auto column = tg::let(block.index.x * 128_c);
        const auto product = tg::let(tg::choose<Options.batched>(block.index.z, 0_c) * m);
        const auto part = [&](const auto& number) {
          const auto first = tg::let(product * tg::constant<Options.split>{} + number * m);
          return tg::tile_at<16, 128>(tg::sized(parts, first + m, n), first + row, column);
        };
        auto sum = tg::full_like_load<sum_type>(block, part(0_c), sum_type{});
        tg::unroll<Options.split>([&](auto number) { sum += tg::load(block, part(number)); });
        const auto place = make_place<16, 128>(product, block.index.y, block.index.x, m, n);
        place.of_elements(c) = tg::cast<out>(epilogue(tg::eval(sum), place, extra...));
      });
}

/// Blocks for the parts of `count` results of m x n.
constexpr auto gemm_join_grid(unsigned m, unsigned n, unsigned count = 1, source_location where = source_location::current()) {
  return tg::grid((n + 127) / 128, (m + 15) / 16, count, where);
}

}  // namespace tg::kernels
