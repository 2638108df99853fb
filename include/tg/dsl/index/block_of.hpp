// The block whose coordinates a form is made of.
#pragma once

#include <tg/analysis/warp.hpp>
#include <tg/dsl/index/form.hpp>

namespace tg::index {

namespace detail {

// The block that a form's coordinates belong to; one thread when no coordinate takes part: then all lanes are alike.
template <class Form> struct block_of { static constexpr analysis::block_extent value{0, 0, 0}; };
template <class... Forms> struct first_block {
  static constexpr analysis::block_extent value = [] {
    analysis::block_extent out{0, 0, 0};
    ((out.x == 0 ? void(out = block_of<Forms>::value) : void()), ...);
    return out;
  }();
};
template <char Axis, int X, int Y, int Z> struct block_of<thread<Axis, X, Y, Z>> {
  static constexpr analysis::block_extent value{X, Y, Z};
};
template <long long O, class... T> struct block_of<sum<O, T...>> : first_block<typename T::atom...> {};
template <class Step, long long L> struct block_of<steps<Step, L>> : block_of<Step> {};
template <template <class, class> class Node, class A, class B> struct block_of<Node<A, B>> : first_block<A, B> {};
template <template <class, class, bool> class Node, class A, class B, bool S>
struct block_of<Node<A, B, S>> : first_block<A, B> {};

}  // namespace detail

/// The block shape in a form, or one whole warp where none is in it.
template <class... Forms>
inline constexpr analysis::block_extent block_of = [] {
  constexpr analysis::block_extent found = detail::first_block<Forms...>::value;
  return found.x == 0 ? analysis::block_extent{32, 1, 1} : found;
}();

}  // namespace tg::index
