// The verdict on ldmatrix and stmatrix: eight lanes give the rows of each matrix, 16 bytes each, and each matrix is a
// phase of its own in the banks.
#pragma once

#include <tg/analysis/matrix_rows.hpp>
#include <tg/dsl/memory/shared.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: how many matrices were asked for.
template <int> struct matrices {};

template <bool Ok, class Facts = void> struct matrix_count {
  static_assert(Ok, "TG140: ldmatrix and stmatrix move 1, 2 or 4 matrices");
};

}  // namespace diagnosis

namespace detail {

/// Cost of the rows of `Matrices` matrices: `Form` counts elements of the tile from its start.
template <class Form, int ElementBytes, int Matrices>
struct matrix_check : shared_check<Form, ElementBytes, analysis::matrix_row_bytes> {
  template <class Other> using with = matrix_check<Other, ElementBytes, Matrices>;
  template <int Warp>
  static constexpr analysis::shared_cost of_warp =
      analysis::count_matrix_rows(index::evaluate_limited<Form>(Warp), ElementBytes, Matrices);
  template <int Warp>
  static constexpr bool aligned_in_warp =
      analysis::is_aligned(index::evaluate<Form>(Warp), ElementBytes, analysis::matrix_row_bytes, analysis::matrix_row_bytes,
                           analysis::matrix_lanes(Matrices));
};

/// What is wrong with rows of matrices in a tile, as a diagnosis. Errors: TG109, TG116, TG140, TG201, TG203, TG204.
template <class Tile, int Matrices, class Excuse, class... I> struct matrix_judgement {
  static consteval auto pick() {
    using written = decltype(check_written<Tile, typename Tile::element_type, Tile::rank, 1, I...>());
    if constexpr (Matrices != 1 && Matrices != 2 && Matrices != 4) {
      return std::type_identity<diagnosis::matrix_count<false, diagnosis::matrices<Matrices>>>{};
    } else if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) {
      return written{};
    } else if constexpr (are_gathered<I...>) {
      return std::type_identity<diagnosis::none>{};
    } else {
      constexpr int bytes = analysis::matrix_row_bytes;
      using linear = linear_form<Tile, I...>;
      using form = typename Tile::rules::template physical<linear>;
      return check_form<matrix_check<form, Tile::element_bytes, Matrices>, form, Excuse, 201, Tile::element_bytes, bytes, bytes,
                        false, diagnosis::types<I...>, shared_tile_finding<Tile, bytes, I...>>();
    }
  }
  using type = typename decltype(pick())::type;
};

/// The facts of an access to rows of matrices that `matrix_judgement` let pass.
template <class Form, bool Gathered, class Excuse, int ElementBytes, int Matrices>
constexpr access_facts<analysis::shared_cost> find_matrix_facts() {
  access_facts<analysis::shared_cost> out{ElementBytes, analysis::matrix_row_bytes, excused_code<Excuse>, Matrices, Gathered};
  if constexpr (!Gathered) out.costs = find_costs<matrix_check<Form, ElementBytes, Matrices>, Form>();
  return out;
}
template <class Form, bool Gathered, class Excuse, int ElementBytes, int Matrices>
inline constexpr access_facts<analysis::shared_cost> matrix_facts =
    find_matrix_facts<Form, Gathered, Excuse, ElementBytes, Matrices>();

/// Warps act as one. Errors: TG117 where a block has a warp that is not full.
void require_whole_warps(tracer& t, const char* word, source_location where);

/// Loads matrices from their rows to new registers.
void load_matrices(ptx::operand* registers, int matrices, ptx::token trans, const place& from);

/// Where the rows are and what is recorded of them. Requires: `matrix_judgement` let them pass.
template <int Matrices, class Excuse, class Tile, class... I>
TG_ALWAYS_INLINE place find_matrices(const Tile& tile, const Excuse& excuse, source_location where, const I&... indices) {
  require_whole_warps(tracer::current(where), "a move of matrices", where);
  return tile.find(
      matrix_facts<typename Tile::template form_of<I...>, are_gathered<I...>, Excuse, Tile::element_bytes, Matrices>, where,
      excuse.reason, indices...);
}

// A part of a tile is judged as rows of the whole.
template <class Tile> TG_ALWAYS_INLINE const auto& whole_tile(const Tile& tile) {
  if constexpr (requires { tile.whole(); }) return tile.whole();
  else return tile;
}
template <class Tile, class R> TG_ALWAYS_INLINE auto whole_row(const Tile& tile, const R& row) {
  if constexpr (requires { tile.first_row(); }) return tile.first_row() + row;
  else return row;
}

constexpr ptx::token matrix_count_token(int matrices) {
  return matrices == 1 ? ptx::token::x1 : matrices == 2 ? ptx::token::x2 : ptx::token::x4;
}

}  // namespace detail

}  // namespace tg
