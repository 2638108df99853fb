// One launch of a kernel, with everything that says whether it was right: what goes in, what has to come out, and how far off
// each element may be. A row of the registry describes a launch once; tests run it, benchmarks count it or time it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace registry {

/// The size of a launch: what m, n and k stand for is said by the row. `heads`: those of queries in attention.
struct shape { unsigned m = 1, n = 1, k = 1, heads = 1; };

/// What elements have to be after a launch, and how far off each may be.
struct expectation {
  std::vector<double> value, bound;

  bool is_empty() const { return value.empty(); }
};

/// Each within `bound_of(i)`.
template <class Bound> expectation within(std::vector<double> value, Bound bound_of) {
  std::vector<double> bound(value.size());
  for (std::size_t i = 0; i < bound.size(); ++i) bound[i] = bound_of(i);
  return {std::move(value), std::move(bound)};
}
/// Each within a share of its magnitude.
inline expectation relative(std::vector<double> value, double by) {
  return within(value, [&](std::size_t i) { return by * std::abs(value[i]); });
}
/// Exactly these. Requires: integers below 2^53, or floats.
template <class T> expectation exactly(const std::vector<T>& value) {
  return {std::vector<double>(value.begin(), value.end()), std::vector<double>(value.size())};
}

/// Elements as numbers, by row and column. Requires: `x` outlives the result.
template <class T> auto numbers_of(const std::vector<T>& x, unsigned columns) {
  return [&x, columns](unsigned r, unsigned c) { return static_cast<double>(x[std::size_t{r} * columns + c]); };
}
/// Elements of a line as numbers. Requires: `x` outlives the result.
template <class T> auto numbers_of(const std::vector<T>& x) {
  return [&x](std::size_t i) { return static_cast<double>(x[i]); };
}

/// An element of two numbers.
template <class T>
concept pair_of_numbers = requires(T x) { x.low, x.high; };
/// How many numbers an element has, each with an expectation of its own.
template <class T> inline constexpr std::size_t numbers_in = pair_of_numbers<T> ? 2 : 1;

/// What an element holds before anything is written to it: NaN, or a number that no kernel writes by chance.
template <class T> T poison() {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(0xcdcdcdcdcdcdcdcd);
  else if constexpr (pair_of_numbers<T>) return {poison<decltype(T::low)>(), poison<decltype(T::high)>()};
  else return T(std::numeric_limits<float>::quiet_NaN());
}

/// A line of elements that a launch takes as one argument.
template <class T> struct operand {
  std::vector<T> before;
  expectation after = {};  // empty: as before
};
/// A matrix whose rows are `leading` elements apart.
template <class T> struct matrix_operand : operand<T> { unsigned rows, columns, leading; };

/// The largest distance of an element from what is wanted, as a multiple of its bound. Infinite for NaN where a number is
/// wanted, and for a wanted bound of 0 that is not kept.
class excess {
 public:
  void add(double found, double wanted, double bound) {
    if (found == wanted || (std::isnan(found) && std::isnan(wanted))) return;
    const double own = std::abs(found - wanted) / bound;
    if (!(own <= worst_)) worst_ = std::isnan(own) ? std::numeric_limits<double>::infinity() : own;
  }
  double worst() const { return worst_; }

 private:
  double worst_ = 0;
};

/// What a row makes operands with: random numbers and the kinds of operands.
class operand_maker {
 public:
  explicit operand_maker(std::uint32_t seed) : engine_(seed) {}

  std::mt19937& engine() { return engine_; }
  /// Evenly distributed in [low, high].
  template <class T = float> std::vector<T> floats(std::size_t count, float low = -1, float high = 1) {
    std::uniform_real_distribution<float> any(low, high);
    std::vector<T> out(count);
    for (T& x : out) x = T(any(engine_));
    return out;
  }
  /// Evenly distributed in [low, high].
  template <class T>
  std::vector<T> integers(std::size_t count, std::int64_t low = std::numeric_limits<T>::min(),
                          std::int64_t high = std::numeric_limits<T>::max()) {
    std::uniform_int_distribution<std::int64_t> any(low, high);
    std::vector<T> out(count);
    for (T& x : out) x = static_cast<T>(any(engine_));
    return out;
  }

  /// A line that is read.
  template <class T> operand<T> in(std::vector<T> elements) { return {std::move(elements), {}}; }
  /// A line that is written.
  template <class T> operand<T> out(expectation after) {
    std::vector<T> before(after.value.size() / numbers_in<T>, poison<T>());
    return {std::move(before), std::move(after)};
  }
  /// A line that is read and written.
  template <class T> operand<T> in_out(std::vector<T> before, expectation after) {
    return {std::move(before), std::move(after)};
  }
  /// Memory for a kernel's own use: anything after.
  template <class T> operand<T> scratch(std::vector<T> before) {
    const auto any = [](std::size_t) { return std::numeric_limits<double>::infinity(); };
    expectation after = within(std::vector<double>(before.size()), any);
    return in_out(std::move(before), std::move(after));
  }
  /// Zeros before.
  template <class T> operand<T> scratch(std::size_t count) { return scratch(std::vector<T>(count)); }
  /// A matrix that is read; its rows begin at multiples of `apart` elements, with poison in the gaps. 0: without gaps.
  template <class T> matrix_operand<T> in(const std::vector<T>& elements, unsigned rows, unsigned columns, unsigned apart = 1) {
    return matrix<T>({}, rows, columns, apart, [&](std::size_t i) { return elements[i]; });
  }
  /// A matrix that is written.
  template <class T> matrix_operand<T> out(expectation after, unsigned rows, unsigned columns, unsigned apart = 1) {
    return matrix<T>(std::move(after), rows, columns, apart, [](std::size_t) { return poison<T>(); });
  }

 private:
  template <class T, class Element>
  matrix_operand<T> matrix(expectation after, unsigned rows, unsigned columns, unsigned apart, Element element) {
    // One step more than needed, so that rows never lie side by side.
    const unsigned leading = apart == 0 ? columns : (columns + apart - 1) / apart * apart + apart;
    matrix_operand<T> own{{std::vector<T>(std::size_t{rows} * leading, poison<T>()), std::move(after)}, rows, columns, leading};
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) own.before[std::size_t{r} * leading + c] = element(std::size_t{r} * columns + c);
    return own;
  }

  std::mt19937 engine_;
};

}  // namespace registry
