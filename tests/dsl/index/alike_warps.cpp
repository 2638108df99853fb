#include <tg/dsl/index/alike_warps.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/index/evaluate.hpp>

namespace index = tg::index;
using index::detail::alike_by_axes;
using index::detail::alike_of;
using index::detail::atom_in_warps;
using index::detail::axes_of;

namespace {

template <char Axis> using coordinate = index::thread<Axis, 96, 4, 1>;
template <class A, long long N> using quotient_by = index::quotient<index::single<A>, index::number<N>, false>;
using third_of_x = quotient_by<coordinate<'x'>, 3>;
using half_of_y = quotient_by<coordinate<'y'>, 2>;

// Every warp has the value of the first one that is said to be like it, and values that are said to differ do.
template <class Form> bool is_true_of_each_warp() {
  constexpr auto& first = alike_of<Form>;
  for (int w = 0; w < index::block_of<Form>.warps(); ++w) {
    const int like = first[static_cast<std::size_t>(w)];
    if (like > w || first[static_cast<std::size_t>(like)] != like) return false;
    if (!(index::evaluate<Form>(like) == index::evaluate<Form>(w))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("warps are alike where the coordinates are that a form has") {
  static_assert(axes_of<third_of_x> == 1 && axes_of<half_of_y> == 2);
  static_assert(axes_of<index::sum<3, index::term<2, third_of_x>, index::term<1, half_of_y>>> == 3);
  static_assert(axes_of<index::uniform<4>> == 0);
  CHECK(alike_by_axes<96, 4, 1, 1> == index::detail::first_alike<12>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(alike_by_axes<96, 4, 1, 2> == index::detail::first_alike<12>{0, 0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9});
  CHECK(alike_by_axes<96, 4, 1, 3> == index::detail::first_alike<12>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(alike_by_axes<96, 4, 1, 0> == index::detail::first_alike<12>{});
  CHECK(alike_by_axes<8, 4, 3, 3> == index::detail::first_alike<3>{});
  CHECK(alike_by_axes<8, 4, 3, 4> == index::detail::first_alike<3>{0, 1, 2});
}

TEST_CASE("a warp without all its lanes is like no other") {
  CHECK(alike_by_axes<16, 5, 1, 1> == index::detail::first_alike<3>{0, 0, 2});
  CHECK(alike_by_axes<80, 1, 1, 0> == index::detail::first_alike<3>{0, 0, 2});
}

TEST_CASE("atoms of equal value are one") {
  using atom = atom_in_warps<half_of_y, false>;
  CHECK(atom::count == 4);
  CHECK(atom::first_alike_of(5) == 0);
  CHECK(atom::first_alike_of(6) == 6);
  CHECK(atom::first_alike_of(11) == 6);
  CHECK(&atom::at(0) == &atom::at(5));
  CHECK(atom::at(11).offset[7] == 1);
}

TEST_CASE("a sum is alike where all its atoms are") {
  using x = index::sum<5, index::term<3, third_of_x>>;
  using both = index::sum<0, index::term<3, third_of_x>, index::term<100, half_of_y>>;
  CHECK(is_true_of_each_warp<x>());
  CHECK(is_true_of_each_warp<both>());
  CHECK(alike_of<x>[11] == 2);
  CHECK(alike_of<both>[5] == 2);
  CHECK(alike_of<both>[6] == 6);
  CHECK(alike_of<both>[11] == 8);
}

TEST_CASE("with the limits of loops, coordinates alone tell") {
  using limited = index::sum<0, index::term<1, index::steps<index::number<4>, 16>>, index::term<3, half_of_y>>;
  CHECK(alike_of<limited>[2] == 0);
  CHECK(alike_of<limited>[5] == 3);
  CHECK(is_true_of_each_warp<limited>());
}
