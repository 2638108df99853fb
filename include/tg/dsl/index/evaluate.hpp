// The form of an index, evaluated for one warp.
#pragma once

#include <bit>
#include <cstdint>

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>
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

/// Which warp to evaluate for, and whether the limits of loops may be used: with them a counter is a set of bits, which
/// swizzles can take; without them a multiple of its step, which strides can take.
struct request_point {
  int warp = 0;
  bool use_limits = false;
};

namespace detail {

template <class Form> struct evaluator;

// Sums, products, masks and left shifts are the same in a register and among ideal integers, up to multiples of 2^32.
// Everything else, and an address, is not: known lanes that do not fit a 32-bit register have wrapped around there, and
// nothing is claimed. (Of wider registers that is more careful than it need be.)
constexpr analysis::lane_value unwrapped(const analysis::lane_value& v, bool is_signed) {
  return analysis::fits(v, 32, is_signed) ? v : analysis::unknown();
}

template <char Axis, int X, int Y, int Z> struct evaluator<thread<Axis, X, Y, Z>> {
  static constexpr analysis::lane_value at(request_point w) {
    constexpr auto direction = Axis == 'x' ? analysis::axis::x : Axis == 'y' ? analysis::axis::y : analysis::axis::z;
    return analysis::thread_coordinate({X, Y, Z}, direction, w.warp);
  }
};
template <long long D, bool N> struct evaluator<uniform<D, N>> {
  static constexpr analysis::lane_value at(request_point) { return analysis::uniform(D, N); }
};
template <class Step, long long Limit> struct evaluator<steps<Step, Limit>> {
  static constexpr analysis::lane_value at(request_point w) {
    const analysis::lane_value step = evaluator<Step>::at(w);
    if (w.use_limits && Limit > 0 && analysis::is_constant(step) && step.offset[0] > 0) {
      analysis::lane_value bits;  // some of the bits below the limit, none below the step
      bits.xor_bits = (static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned long long>(Limit))) - 1) &
                      ~(analysis::lowest_bit(step.offset[0]) - 1);
      return bits;
    }
    return analysis::mul(step, analysis::uniform(1));
  }
};
template <long long O, class... T> struct evaluator<sum<O, T...>> {
  static constexpr analysis::lane_value at([[maybe_unused]] request_point w) {
    analysis::lane_value out = analysis::constant(O);
    ((out = analysis::add(out, T::coefficient == 1 ? evaluator<typename T::atom>::at(w)
                                                   : analysis::mul(evaluator<typename T::atom>::at(w),
                                                                   analysis::constant(T::coefficient)))),
     ...);
    return out;
  }
};
template <> struct evaluator<data> {
  static constexpr analysis::lane_value at(request_point) { return analysis::unknown(); }
};
template <> struct evaluator<traced> : evaluator<data> {};

template <class A, class B> struct evaluator<product<A, B>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::mul(evaluator<A>::at(w), evaluator<B>::at(w));
  }
};
template <class A, class B, bool S> struct evaluator<quotient<A, B, S>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::div(unwrapped(evaluator<A>::at(w), S), unwrapped(evaluator<B>::at(w), S), S);
  }
};
template <class A, class B, bool S> struct evaluator<remainder<A, B, S>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::mod(unwrapped(evaluator<A>::at(w), S), unwrapped(evaluator<B>::at(w), S), S);
  }
};
template <class A, class B> struct evaluator<bit_and<A, B>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::bit_and(evaluator<A>::at(w), evaluator<B>::at(w));
  }
};
template <class A, class B> struct evaluator<bit_or<A, B>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::bit_or(evaluator<A>::at(w), evaluator<B>::at(w));
  }
};
template <class A, class B> struct evaluator<bit_xor<A, B>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::bit_xor(evaluator<A>::at(w), evaluator<B>::at(w));
  }
};
template <class A, class B> struct evaluator<shift_left<A, B>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::shl(evaluator<A>::at(w), evaluator<B>::at(w));
  }
};
template <class A, class B, bool S> struct evaluator<shift_right<A, B, S>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::shr(unwrapped(evaluator<A>::at(w), S), unwrapped(evaluator<B>::at(w), S), S);
  }
};
template <class A, class B, bool S> struct evaluator<minimum<A, B, S>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::min(unwrapped(evaluator<A>::at(w), S), unwrapped(evaluator<B>::at(w), S), S);
  }
};
template <class A, class B, bool S> struct evaluator<maximum<A, B, S>> {
  static constexpr analysis::lane_value at(request_point w) {
    return analysis::max(unwrapped(evaluator<A>::at(w), S), unwrapped(evaluator<B>::at(w), S), S);
  }
};

}  // namespace detail

/// What is known about an index of this form over the lanes of one warp of its block.
template <class Form>
constexpr analysis::lane_value evaluate(int warp) {
  return detail::unwrapped(detail::evaluator<Form>::at({warp}), false);
}

/// The same, with the limits of loops where that tells more; for shared memory.
template <class Form>
constexpr analysis::lane_value evaluate_limited(int warp) {
  const analysis::lane_value limited = detail::unwrapped(detail::evaluator<Form>::at({warp, true}), false);
  return limited.known ? limited : evaluate<Form>(warp);
}

}  // namespace tg::index
