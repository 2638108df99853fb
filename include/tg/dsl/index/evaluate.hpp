// The form of an index, evaluated for one warp.
#pragma once

#include <cstdint>

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>
#include <tg/dsl/index/alike_warps.hpp>
#include <tg/dsl/index/near_zero.hpp>
#include <tg/dsl/index/rows.hpp>

namespace tg::index {

namespace detail {

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
template <long long M, long long L> struct evaluator<below<M, L>> : evaluator<uniform<M, false>> {};
template <class Step, long long Limit> struct evaluator<steps<Step, Limit>> {
  static constexpr analysis::lane_value at(request_point w) {
    const analysis::lane_value step = evaluator<Step>::at(w);
    if (w.use_limits && Limit > 0 && analysis::is_constant(step) && step.offset[0] > 0) {
      analysis::lane_value bits;  // some of the bits below the limit, none below the step
      bits.xor_bits = (analysis::power_of_two_at_least(Limit) - 1) & ~(analysis::lowest_bit(step.offset[0]) - 1);
      return bits;
    }
    return analysis::mul(step, analysis::uniform(1));
  }
};
/// A sum of coordinates and uniforms alone: what most indices are.
template <class Form> inline constexpr bool is_affine = false;
template <class Atom> inline constexpr bool is_affine_atom = is_uniform<Atom>;
template <char Axis, int X, int Y, int Z> inline constexpr bool is_affine_atom<thread<Axis, X, Y, Z>> = true;
template <long long O, class... T> inline constexpr bool is_affine<sum<O, T...>> = (is_affine_atom<typename T::atom> && ...);

/// What a coordinate adds for each step along the axes, and what a uniform adds to the base.
struct affine_parts {
  std::int64_t offset = 0, x = 0, y = 0, z = 0;
  std::int64_t divisor = 0;
  bool maybe_negative = false;

  /// The part that the coordinates of a warp's first thread have in it.
  constexpr std::int64_t first_of_warp(analysis::block_extent block, int warp) const {
    const int first = warp * analysis::warp_lanes;
    return x * (first % block.x) + y * (first / block.x % block.y) + z * (first / block.x / block.y);
  }
};
template <class Term> struct affine_term;
template <long long C, char Axis, int X, int Y, int Z> struct affine_term<term<C, thread<Axis, X, Y, Z>>> {
  static constexpr void add_to(affine_parts& p) { (Axis == 'x' ? p.x : Axis == 'y' ? p.y : p.z) += C; }
};
template <long long C, long long D, bool N> struct affine_term<term<C, uniform<D, N>>> {
  static constexpr void add_to(affine_parts& p) {
    p.divisor = analysis::gcd(p.divisor, analysis::magnitude(C * D));
    p.maybe_negative = p.maybe_negative || N || C < 0;
  }
};
template <class Form> inline constexpr affine_parts parts_of{};
template <long long O, class... T>
inline constexpr affine_parts parts_of<sum<O, T...>> = [] {
  affine_parts out{.offset = O};
  (affine_term<T>::add_to(out), ...);
  return out;
}();
template <class Form> inline constexpr bool is_small_affine = is_affine<Form> && lane_bound<Form> < (1ll << 30);

constexpr analysis::lane_value evaluate_affine(const affine_parts& p, analysis::block_extent block, int warp) {
  analysis::lane_value out = analysis::uniform(p.divisor, p.maybe_negative);
  const int first = warp * analysis::warp_lanes;
  const int count = block.threads() - first;
  int x = first % block.x, y = first / block.x % block.y, z = first / block.x / block.y;
  std::int64_t* const offset = out.offset.data();
  for (int l = 0; l < analysis::warp_lanes; ++l) {
    offset[l] = l > 0 && l >= count ? offset[0] : p.offset + p.x * x + p.y * y + p.z * z;
    if (++x == block.x) {
      x = 0;
      if (++y == block.y) {
        y = 0;
        ++z;
      }
    }
  }
  return out;
}

template <class Atom> constexpr const analysis::lane_value& atom_at(request_point w) {
  if (has_limit<Atom> && w.use_limits) return atom_in_warps<Atom, has_limit<Atom>>::at(w.warp);
  return atom_in_warps<Atom, false>::at(w.warp);
}

template <long long O, class... T> struct evaluator<sum<O, T...>> {
  static constexpr analysis::lane_value at([[maybe_unused]] request_point w) {
    if constexpr (is_small_affine<sum<O, T...>>)
      return evaluate_affine(parts_of<sum<O, T...>>, index::block_of<sum<O, T...>>, w.warp);
    analysis::lane_value out = analysis::constant(O);
    ((out = analysis::add(out, T::coefficient == 1
                                   ? atom_at<typename T::atom>(w)
                                   : analysis::mul(atom_at<typename T::atom>(w), analysis::constant(T::coefficient)))),
     ...);
    return out;
  }
};
template <> struct evaluator<data> {
  static constexpr analysis::lane_value at(request_point) { return analysis::unknown(); }
};
template <> struct evaluator<traced> : evaluator<data> {};

template <class A, class B> struct evaluator<product<A, B>> {
  static constexpr analysis::lane_value at(request_point w) { return analysis::mul(evaluator<A>::at(w), evaluator<B>::at(w)); }
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
  static constexpr analysis::lane_value at(request_point w) { return analysis::shl(evaluator<A>::at(w), evaluator<B>::at(w)); }
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
template <class Form> constexpr analysis::lane_value evaluate(int warp) {
  if constexpr (detail::is_small_affine<Form>) return detail::evaluator<Form>::at({warp});
  else if constexpr (detail::is_based<Form>) return detail::evaluate_based<Form>(warp);
  else if constexpr (detail::has_rows<Form>) return detail::evaluate_rows<Form>(warp);
  else return detail::unwrapped(detail::evaluator<Form>::at({warp}), false);
}

/// The values of an index in the lanes of a warp, with the limits of loops where that tells more; for shared memory.
template <class Form> constexpr analysis::lane_value evaluate_limited(int warp) {
  if constexpr (!detail::has_limit<Form>) {
    return evaluate<Form>(warp);
  } else {
    const analysis::lane_value limited = detail::unwrapped(detail::evaluator<Form>::at({warp, true}), false);
    return limited.known ? limited : evaluate<Form>(warp);
  }
}

}  // namespace tg::index
