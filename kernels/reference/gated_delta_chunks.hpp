// The gated delta rule in chunks on the host, in double: what a chunk's two matrices are, and how far off the results of a
// kernel may be that rounds operands of products to a narrow type. Values are those of the rule token by token.
//
// What a state is off goes through the exact rule, which is linear and shrinks it: it is kept as a Euclidean length for each
// column, so that it does not grow with sums of magnitudes. What a chunk adds is bounded element by element.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <kernels/reference/gated_delta_rule.hpp>

namespace tg::kernels::reference {

/// How a type of 16 bits rounds: by a share of a number, or where that is small by a fixed distance.
struct narrow_rounding { double relative, least; };
inline constexpr narrow_rounding bf16_rounding{0x1p-8, 0x1p-126}, f16_rounding{0x1p-11, 0x1p-25};

namespace detail {

inline constexpr double delta_unit = 0x1p-24 * 1.001;   // with what products of errors add
inline constexpr double delta_ratio = 66 * delta_unit;  // a product of up to 64 decays, and two more multiplications
/// Sums of products by tensor cores, which may cut where others round.
constexpr double delta_sum(std::size_t depth) { return 2 * delta_unit * static_cast<double>(depth + 8); }
inline double delta_dot(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}
inline double delta_size(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}

}  // namespace detail

/// A square matrix of a chunk, and how far off each element may be when it is rounded.
struct delta_matrix {
  static constexpr std::size_t size = 64;
  std::vector<double> value = std::vector<double>(size * size), error = std::vector<double>(size * size);

  static constexpr std::size_t at(std::size_t i, std::size_t j) { return i * size + j; }
  /// |value| and what it may be off.
  double most(std::size_t i, std::size_t j) const { return std::abs(value[at(i, j)]) + error[at(i, j)]; }
  void round(narrow_rounding by) {
    for (std::size_t n = 0; n < value.size(); ++n) error[n] += by.relative * (std::abs(value[n]) + error[n]) + by.least;
  }
};

/// What depends on a chunk's keys, queries, decays and rates alone. `since_begin` and `until_end`: products of decays up to a
/// token and behind it.
struct delta_chunk {
  delta_matrix inverse, score;
  std::vector<double> since_begin = std::vector<double>(delta_matrix::size, 1), until_end = since_begin;
};

/// The matrices of `tokens` tokens, at most 64, whose q and k have `key` elements. Bounds are those of two triangles of 32 rows
/// by substitution in floats, and products for the block below them.
inline delta_chunk gated_delta_chunk_of(std::size_t tokens, std::size_t key, const double* q, const double* k,
                                        const double* decay, const double* rate, narrow_rounding rounding) {
  constexpr std::size_t half = delta_matrix::size / 2;
  constexpr double sums = (half + 8) * detail::delta_unit;
  delta_chunk out;
  delta_matrix found, between;
  const auto at = delta_matrix::at;
  double all = 1;
  for (std::size_t i = 0; i < delta_matrix::size; ++i) out.since_begin[i] = i < tokens ? all *= decay[i] : all;
  for (std::size_t j = 0; j < tokens; ++j) {
    double ratio = 1;
    for (std::size_t i = j; i < tokens; ++i) {
      if (i > j) ratio *= decay[i];
      const auto put = [&](delta_matrix& to, const double* x) {
        const double size = detail::delta_size(x + i * key, k + j * key, key) * std::abs(ratio);
        to.value[at(i, j)] = detail::delta_dot(x + i * key, k + j * key, key) * ratio;
        to.error[at(i, j)] = (detail::delta_sum(key) + detail::delta_ratio) * size + 0x1p-140;
      };
      put(out.score, q);
      if (i > j) put(found, k);
    }
    out.until_end[j] = ratio;
  }
  // The sum over `first` to before `end` of a(i, m) * b(m, j).
  struct product { double value, size, error; };
  const auto multiply = [&](const delta_matrix& a, const delta_matrix& b, std::size_t i, std::size_t j, std::size_t first,
                            std::size_t end) {
    product sum{0, 0, 0};
    for (std::size_t m = first; m < end; ++m) {
      sum.value += a.value[at(i, m)] * b.value[at(m, j)];
      sum.size += a.most(i, m) * b.most(m, j);
      sum.error += a.most(i, m) * b.error[at(m, j)] + a.error[at(i, m)] * std::abs(b.value[at(m, j)]);
    }
    return sum;
  };
  delta_matrix& inverse = out.inverse;
  for (std::size_t corner : {std::size_t{0}, half})
    for (std::size_t i = corner; i < std::min(corner + half, tokens); ++i)
      for (std::size_t j = corner; j <= i; ++j) {
        const double unit = i == j ? 1 : 0;
        const product sum = multiply(found, inverse, i, j, j, i);
        inverse.value[at(i, j)] = rate[i] * (unit - sum.value);
        inverse.error[at(i, j)] = std::abs(rate[i]) * (sum.error + sums * (unit + sum.size));
      }
  for (std::size_t i = half; i < tokens; ++i)
    for (std::size_t j = 0; j < half; ++j) {
      const product sum = multiply(found, inverse, i, j, j, half);
      between.value[at(i, j)] = sum.value;
      between.error[at(i, j)] = sum.error + sums * sum.size;
    }
  for (std::size_t i = half; i < tokens; ++i)
    for (std::size_t j = 0; j < half; ++j) {
      const product sum = multiply(inverse, between, i, j, half, i + 1);
      inverse.value[at(i, j)] = -sum.value;
      inverse.error[at(i, j)] = sum.error + sums * sum.size;
    }
  inverse.round(rounding);
  out.score.round(rounding);
  return out;
}

/// A head's state, how far off each element may be, and how long the vector of errors of each column.
struct delta_column_state {
  std::vector<double> value, error, length;

  /// A state that is exact. `before`: key x value elements.
  delta_column_state(std::vector<double> before, delta_sizes sizes)
      : value(std::move(before)), error(value.size()), length(sizes.value) {}
};

/// A chunk of up to 64 tokens of one head, whose rows of q, k and v lie one below the other.
inline delta_output gated_delta_chunk_step(delta_column_state& state, delta_sizes sizes, std::size_t tokens, const double* q,
                                           const double* k, const double* v, const double* decay, const double* rate,
                                           narrow_rounding rounding) {
  const std::size_t key = sizes.key, values = sizes.value;
  const delta_chunk chunk = gated_delta_chunk_of(tokens, key, q, k, decay, rate, rounding);
  const double unit = detail::delta_unit, ratio_error = detail::delta_ratio, of_key = detail::delta_sum(key),
               of_chunk = detail::delta_sum(delta_matrix::size);
  const auto rounded = [&](double most) { return rounding.relative * most + rounding.least; };
  const auto length = [&](const double* x) { return std::sqrt(detail::delta_dot(x, x, key)); };
  // How much longer an error of the state can be behind each token.
  std::vector<double> growth(tokens);
  double grown = 1;
  for (std::size_t i = 0; i < tokens; ++i) {
    const double own = detail::delta_dot(k + i * key, k + i * key, key);
    growth[i] = grown *= std::abs(decay[i]) * std::max(1.0, std::abs(1 - rate[i] * own));
  }
  delta_output out{std::vector<double>(tokens * values), std::vector<double>(tokens * values)};
  for (std::size_t c = 0; c < values; ++c) {
    const double off = state.length[c];
    std::vector<double> wanted(tokens), wanted_most(tokens), wanted_error(tokens), fresh_most(tokens), fresh_error(tokens);
    std::vector<double> column(key);
    for (std::size_t r = 0; r < key; ++r) column[r] = state.value[r * values + c];
    // How far off a sum of this column times a vector may be, beside what the column itself is off, and how large its terms
    // are.
    struct sum_bound { double size, error; };
    const auto times_column = [&](const double* x) {
      const double size = detail::delta_size(x, column.data(), key) + length(x) * off;
      double error = rounding.relative * size;
      for (std::size_t r = 0; r < key; ++r) error += std::abs(x[r]) * rounding.least;
      return sum_bound{size, error + of_key * (size + error)};
    };
    for (std::size_t i = 0; i < tokens; ++i) {
      const double* own = k + i * key;
      const double fade = std::abs(chunk.since_begin[i]), value = v[i * values + c];
      const sum_bound found = times_column(own);
      wanted[i] = value - chunk.since_begin[i] * detail::delta_dot(own, column.data(), key);
      wanted_most[i] = std::abs(wanted[i]) + fade * length(own) * off;
      wanted_error[i] =
          fade * found.error + (ratio_error + 2 * unit) * fade * (found.size + found.error) + unit * std::abs(value);
      wanted_error[i] += rounded(wanted_most[i] + wanted_error[i]);
      double fresh = 0, size = 0, error = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        const std::size_t at = delta_matrix::at(i, j);
        fresh += chunk.inverse.value[at] * wanted[j];
        size += chunk.inverse.most(i, j) * (wanted_most[j] + wanted_error[j]);
        error += chunk.inverse.most(i, j) * wanted_error[j] + chunk.inverse.error[at] * wanted_most[j];
      }
      fresh_most[i] = std::abs(fresh) + std::abs(rate[i]) * length(own) * growth[i] * off;
      fresh_error[i] = error + of_chunk * size;
    }
    for (std::size_t i = 0; i < tokens; ++i) {
      const double fade = std::abs(chunk.since_begin[i]);
      const sum_bound read = times_column(q + i * key);
      double size = fade * (read.size + read.error);
      double error = fade * read.error + (ratio_error + unit) * size;
      for (std::size_t j = 0; j <= i; ++j) {
        const double own_error = fresh_error[j] + rounded(fresh_most[j] + fresh_error[j]);
        size += chunk.score.most(i, j) * (fresh_most[j] + own_error);
        error += chunk.score.most(i, j) * own_error + chunk.score.error[delta_matrix::at(i, j)] * fresh_most[j];
      }
      out.error[i * values + c] = error + of_chunk * size + length(q + i * key) * growth[i] * off;
    }
    double squares = 0;
    for (std::size_t r = 0; r < key; ++r) {
      double size = std::abs(chunk.since_begin.back()) * (std::abs(column[r]) + state.error[r * values + c]);
      double error = ratio_error * size;
      for (std::size_t i = 0; i < tokens; ++i) {
        const double fade = std::abs(chunk.until_end[i]), own_most = fade * (fresh_most[i] + fresh_error[i]);
        const double exact_error = fade * fresh_error[i] + ratio_error * own_most;
        const double own_error = exact_error + rounded(own_most + exact_error);
        size += std::abs(k[i * key + r]) * (own_most + own_error);
        error += std::abs(k[i * key + r]) * own_error;
      }
      error += of_chunk * size;
      squares += error * error;
      state.error[r * values + c] = grown * off + error;
    }
    state.length[c] = grown * off + std::sqrt(squares);
  }
  delta_state exact{state.value, std::vector<double>(state.value.size())};
  for (std::size_t i = 0; i < tokens; ++i) {
    const auto one = gated_delta_step(exact, sizes, q + i * key, k + i * key, v + i * values, decay[i], rate[i], 0);
    std::copy(one.value.begin(), one.value.end(), out.value.begin() + static_cast<std::ptrdiff_t>(i * values));
  }
  state.value = exact.value;
  return out;
}

}  // namespace tg::kernels::reference
