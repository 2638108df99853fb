// The gated delta rule on the host, in double, with how far off sums of floats may be.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tg::kernels::reference {

/// How many elements a key and a value have.
struct delta_sizes { std::size_t key, value; };

/// A head's state of rows for keys and columns for values, and how far off each element of it may be.
struct delta_state { std::vector<double> value, error; };
/// What a token reads, and how far off each element may be before it is rounded to another type than float.
struct delta_output { std::vector<double> value, error; };

/// One token of one head. `roundings`: those of a sum over a key at most.
inline delta_output gated_delta_step(delta_state& state, delta_sizes sizes, const double* q, const double* k, const double* v,
                                     double decay, double rate, double roundings) {
  constexpr double unit = 0x1p-24 * 1.001;  // with what products of errors add
  delta_output out{std::vector<double>(sizes.value), std::vector<double>(sizes.value)};
  double product = 0, product_size = 0;
  for (std::size_t i = 0; i < sizes.key; ++i) product += k[i] * q[i], product_size += std::abs(k[i] * q[i]);
  const double product_error = roundings * unit * product_size;
  for (std::size_t c = 0; c < sizes.value; ++c) {
    double found = 0, found_size = 0, found_error = 0, read = 0, read_size = 0, read_error = 0;
    for (std::size_t i = 0; i < sizes.key; ++i) {
      double &s = state.value[i * sizes.value + c], &e = state.error[i * sizes.value + c];
      s *= decay;
      e = std::abs(decay) * e + unit * std::abs(s);
      const double size = std::abs(s) + e;
      found += s * k[i], found_size += size * std::abs(k[i]), found_error += e * std::abs(k[i]);
      read += s * q[i], read_size += size * std::abs(q[i]), read_error += e * std::abs(q[i]);
    }
    found_error += roundings * unit * found_size;
    read_error += roundings * unit * read_size;
    const double update = rate * (v[c] - found);
    const double update_error = std::abs(rate) * found_error + 2 * unit * std::abs(rate) * (std::abs(v[c]) + found_size);
    const double update_size = std::abs(update) + update_error;
    for (std::size_t i = 0; i < sizes.key; ++i) {
      double &s = state.value[i * sizes.value + c], &e = state.error[i * sizes.value + c];
      e += std::abs(k[i]) * update_error;
      s += k[i] * update;
      e += unit * (std::abs(s) + e);
    }
    out.value[c] = read + product * update;
    out.error[c] = read_error + std::abs(product) * update_error + product_error * update_size;
    out.error[c] += unit * (std::abs(out.value[c]) + out.error[c]);
  }
  return out;
}

}  // namespace tg::kernels::reference
