// Which warps of a block have equal numbers in all lanes, so that a form is evaluated for one of them.
//
// In a block of 96 x 4 threads, warps 0, 3, 6 and 9 have the same thread.x, and warps 0, 1 and 2 the same thread.y: what is
// computed from one of the two has three or four values, not twelve.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/analysis/lane_value.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/index/based.hpp>
#include <tg/dsl/index/block_of.hpp>
#include <tg/dsl/index/near_zero.hpp>

namespace tg::index::detail {

/// For each warp, the first one that is like it.
template <int Warps> using first_alike = fixed_array<std::uint8_t, static_cast<std::size_t>(Warps)>;

/// The coordinates that a form is made of: 1 for x, 2 for y, 4 for z.
template <class X> inline constexpr int axes_of = 0;
template <char Axis, int X, int Y, int Z>
inline constexpr int axes_of<thread<Axis, X, Y, Z>> = Axis == 'x'   ? 1
                                                      : Axis == 'y' ? 2
                                                                    : 4;
template <class Step, long long L> inline constexpr int axes_of<steps<Step, L>> = axes_of<Step>;
template <long long O, class... T> inline constexpr int axes_of<sum<O, T...>> = (axes_of<typename T::atom> | ... | 0);
template <template <class, class> class Node, class A, class B>
inline constexpr int axes_of<Node<A, B>> = axes_of<A> | axes_of<B>;
template <template <class, class, bool> class Node, class A, class B, bool S>
inline constexpr int axes_of<Node<A, B, S>> = axes_of<A> | axes_of<B>;

/// Warps whose lanes have equal coordinates along the axes. A warp without all its lanes is like no other.
template <int X, int Y, int Z, int Axes>
inline constexpr auto alike_by_axes = [] {
  constexpr analysis::block_extent block{X, Y, Z};
  constexpr int lanes = analysis::warp_lanes;
  first_alike<block.warps()> out{};
  const auto are_equal = [](int t, int u) {
    return ((Axes & 1) == 0 || t % X == u % X) && ((Axes & 2) == 0 || t / X % Y == u / X % Y) &&
           ((Axes & 4) == 0 || t / X / Y == u / X / Y);
  };
  const auto are_alike = [&](int v, int w) {
    if (block.threads() - w * lanes < lanes) return false;
    for (int l = 0; l < lanes; ++l)
      if (!are_equal(v * lanes + l, w * lanes + l)) return false;
    return true;
  };
  std::uint8_t* const first = out.data();
  for (int w = 0; w < block.warps(); ++w) {
    int v = 0;
    while (v < w && (first[v] != v || !are_alike(v, w))) ++v;
    first[w] = static_cast<std::uint8_t>(v);
  }
  return out;
}();
template <class X>
inline constexpr const auto& alike_coordinates =
    alike_by_axes<index::block_of<X>.x, index::block_of<X>.y, index::block_of<X>.z, axes_of<X>>;

/// An atom in each warp, evaluated once for those that are alike. Many indices of a kernel are made of the same atoms.
template <class Atom, bool UseLimits> struct atom_in_warps {
  static constexpr int warps = index::block_of<Atom>.warps();
  static constexpr int count = [] {
    int out = 0;
    for (int w = 0; w < warps; ++w) out += alike_coordinates<Atom>[static_cast<std::size_t>(w)] == w ? 1 : 0;
    return out;
  }();

 private:
  struct list {
    analysis::lane_value values[count] = {};
    std::uint8_t number[warps] = {};  // of the value of each warp
    std::uint8_t first[warps] = {};   // the first warp with the same value
  };
  static constexpr list all = [] {
    list out;
    int known = 0;
    int warp_of[count] = {};
    for (int w = 0; w < warps; ++w) {
      const int like = alike_coordinates<Atom>[static_cast<std::size_t>(w)];
      if (like < w) {
        out.number[w] = out.number[like];
        out.first[w] = out.first[like];
        continue;
      }
      out.values[known] = evaluator<Atom>::at({w, UseLimits});
      int v = 0;
      while (v < known && !(out.values[v] == out.values[known])) ++v;
      if (v == known) warp_of[known++] = w;
      out.number[w] = static_cast<std::uint8_t>(v);
      out.first[w] = static_cast<std::uint8_t>(warp_of[v]);
    }
    return out;
  }();

 public:
  static constexpr const analysis::lane_value& at(int warp) { return all.values[all.number[warp % warps]]; }
  static constexpr int first_alike_of(int warp) { return all.first[warp % warps]; }
};

/// For each warp the first one for which the form has the same value and the block as many lanes.
template <class Form> inline constexpr auto alike_of = [] { return alike_coordinates<Form>; }();
template <long long O, class... T> requires(!has_limit<sum<O, T...>>)
inline constexpr auto alike_of<sum<O, T...>> = [] {
  constexpr analysis::block_extent block = index::block_of<sum<O, T...>>;
  first_alike<block.warps()> out{};
  std::uint8_t* const first = out.data();
  for (int w = 0; w < block.warps(); ++w) {
    int v = 0;
    while (v < w && !(first[v] == v && analysis::active_lanes(block, v) == analysis::active_lanes(block, w) &&
                      ((atom_in_warps<typename T::atom, false>::first_alike_of(v) ==
                        atom_in_warps<typename T::atom, false>::first_alike_of(w)) &&
                       ...)))
      ++v;
    first[w] = static_cast<std::uint8_t>(v);
  }
  return out;
}();

}  // namespace tg::index::detail
