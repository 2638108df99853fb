// What is known about an integer over the lanes of one warp:
//
//   value[lane] = base + sum over k of stride[k] * coef[k][lane] + (offset[lane] xor mask)
//
// base, stride[k] and mask are unknown and the same in every lane. Of base and the strides a divisor is known, of mask
// the bits it may have. coef and offset are exact. Integers are ideal: index arithmetic is taken not to overflow its
// type. A lane without a thread repeats lane 0, so it can never change a verdict.
//
// Two kinds of terms are no products. A clamped term is coef[k][lane] kept between two unknown bounds: min and max with
// a run-time bound make one. A grouped term is an unknown number for each group of lanes with equal factors: what is
// left of a clamped term that is multiplied by an unknown.
#pragma once

#include <tg/analysis/integer.hpp>
#include <tg/analysis/warp.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::analysis {

/// What one term makes of the factors of the lanes.
enum class lane_term {
  scaled,   ///< factor * stride; the stride is an unknown multiple of the divisor
  clamped,  ///< the factor kept between two bounds, unknown multiples of the divisor; lanes whose factors in all other
            ///< terms are equal have the same bounds
  grouped   ///< an unknown multiple of the divisor; lanes whose factors in all terms are equal have the same
};

/// A term that differs from lane to lane: most often a run-time stride times a factor of its own in each lane.
struct lane_stride {
  std::int64_t divisor = 0;
  lanes coef{};
  lane_term kind = lane_term::scaled;

  friend constexpr bool operator==(const lane_stride&, const lane_stride&) = default;
};

/// Returns: whether the numbers are equal in every lane. Cost: a fifth of what `==` takes a compiler for constant expressions.
constexpr bool are_equal(const lanes& a, const lanes& b) {
  const std::int64_t* const x = a.data();
  const std::int64_t* const y = b.data();
  for (int l = 0; l < warp_lanes; ++l)
    if (x[l] != y[l]) return false;
  return true;
}

/// The abstract value of an index over one warp.
struct lane_value {
  static constexpr int max_strides = 4;

  bool known = true;            ///< false: depends on data; nothing else is meaningful
  bool maybe_negative = false;  ///< the base, a stride or a bound may be negative
  int stride_count = 0;
  std::int64_t divisor = 0;   ///< of the base; 0: the base is 0
  std::int64_t xor_bits = 0;  ///< the bits that mask may have
  lanes offset{};
  fixed_array<lane_stride, max_strides> strides{};

  friend constexpr bool operator==(const lane_value& a, const lane_value& b) {
    if (a.known != b.known || a.maybe_negative != b.maybe_negative || a.stride_count != b.stride_count ||
        a.divisor != b.divisor || a.xor_bits != b.xor_bits || !are_equal(a.offset, b.offset))
      return false;
    for (int k = 0; k < a.stride_count; ++k) {
      const lane_stride& s = a.strides[k];
      const lane_stride& t = b.strides[k];
      if (s.divisor != t.divisor || s.kind != t.kind || !are_equal(s.coef, t.coef)) return false;
    }
    return true;
  }
};

/// One known number in every lane.
constexpr lane_value constant(std::int64_t v) {
  lane_value r;
  if (magnitude(v) > magnitude_limit) {
    r.known = false;
    return r;
  }
  for (auto& o : r.offset) o = v;
  return r;
}

/// Known numbers, lane by lane.
constexpr lane_value exact(const lanes& v) {
  lane_value r;
  r.offset = v;
  return r;
}

/// A number that every lane shares and of which only a divisor is known.
constexpr lane_value uniform(std::int64_t divisor = 1, bool maybe_negative = false) {
  lane_value r;
  r.divisor = magnitude(divisor);
  r.maybe_negative = maybe_negative && divisor != 0;
  return r;
}

/// A run-time stride such as the leading dimension of a view: a uniform value that is not negative.
constexpr lane_value stride(std::int64_t divisor = 1) { return uniform(divisor); }

/// A number that depends on data.
constexpr lane_value unknown() {
  lane_value r;
  r.known = false;
  return r;
}

/// The x, y or z of each thread of `warp`.
constexpr lane_value thread_coordinate(block_extent block, axis direction, int warp) {
  const int first = warp * warp_lanes;
  int x = first % block.x;
  int y = first / block.x % block.y;
  int z = first / block.x / block.y;
  const int count = block.threads() - first;
  lane_value r;
  std::int64_t* const offset = r.offset.data();
  for (int l = 0; l < warp_lanes; ++l) {
    offset[l] = l >= count ? offset[0] : direction == axis::x ? x : direction == axis::y ? y : z;
    if (++x == block.x) {
      x = 0;
      if (++y == block.y) {
        y = 0;
        ++z;
      }
    }
  }
  return r;
}

/// Returns: whether every lane's number is the same.
constexpr bool is_same(const lanes& v) {
  const std::int64_t* const at = v.data();
  for (int l = 1; l < warp_lanes; ++l)
    if (at[l] != at[0]) return false;
  return true;
}

/// Returns: whether all lanes hold the same value, known or not.
constexpr bool is_uniform(const lane_value& v) { return v.known && v.stride_count == 0 && is_same(v.offset); }

/// Returns: whether every lane's value is known.
constexpr bool is_exact(const lane_value& v) { return v.known && v.divisor == 0 && v.stride_count == 0 && v.xor_bits == 0; }

/// Returns: which term is clamped; -1 where none is. There is one at most.
constexpr int clamped_term(const lane_value& v) {
  for (int k = 0; k < v.stride_count; ++k)
    if (v.strides[k].kind == lane_term::clamped) return k;
  return -1;
}

/// Returns: whether all lanes hold the same known value.
constexpr bool is_constant(const lane_value& v) { return is_exact(v) && is_same(v.offset); }

/// Returns: whether no lane can hold a negative value.
constexpr bool is_non_negative(const lane_value& v) {
  if (!v.known || v.xor_bits < 0) return false;
  if (v.maybe_negative && (v.divisor != 0 || v.stride_count != 0)) return false;
  for (const auto o : v.offset)
    if (o < 0) return false;
  for (int k = 0; k < v.stride_count; ++k)
    for (const auto c : v.strides[k].coef)
      if (c < 0 && v.strides[k].kind != lane_term::grouped) return false;
  return true;
}

/// Returns: a divisor of what the term adds in every lane; 0 when that is 0.
constexpr std::int64_t granularity(const lane_stride& s) {
  std::int64_t g = s.kind == lane_term::scaled ? 0 : s.divisor;
  if (s.kind == lane_term::grouped) return g;
  const std::int64_t* const coef = s.coef.data();
  for (int l = 0; l < warp_lanes; ++l) {
    if (l > 0 && coef[l] == coef[l - 1]) continue;
    const std::int64_t own = s.kind == lane_term::scaled ? divisor_of_product(s.divisor, magnitude(coef[l])) : coef[l];
    if (g == 0 || own % g != 0) g = gcd(g, own);
    if (g == 1) break;
  }
  return g;
}

/// Returns: a divisor of every lane's value; 0 when all are 0.
constexpr std::int64_t granularity(const lane_value& v) {
  if (!v.known) return 1;
  std::int64_t g = gcd(v.divisor, lowest_bit(v.xor_bits));
  const std::int64_t* const offset = v.offset.data();
  for (int l = 0; l < warp_lanes && g != 1; ++l)
    if (g == 0 || offset[l] % g != 0) g = gcd(g, offset[l]);
  for (int k = 0; k < v.stride_count; ++k) g = gcd(g, granularity(v.strides[k]));
  return g;
}

}  // namespace tg::analysis
