// Products of small dense matrices. Included once per vector unit, inside its namespace and target.
#include <tg/emulator/lanes/find_convert.hpp>

/// sums += a * b, all row-major, each sum in ascending order of k. m and n are multiples of 8.
/// Products of elements of at most 12 significant bits are exact, so fused or not is the same but beyond f32's range.
inline void multiply_f32(float* sums, const float* a, const float* b, size_t m, size_t n, size_t k) {
  using eight [[gnu::vector_size(32)]] = float;
  for (size_t row = 0; row < m; row += 8)
    for (size_t column = 0; column < n; column += 8) {
      eight total[8];
      for (size_t r = 0; r < 8; ++r) __builtin_memcpy(&total[r], sums + (row + r) * n + column, sizeof(eight));
      for (size_t x = 0; x < k; ++x) {
        eight factor;
        __builtin_memcpy(&factor, b + x * n + column, sizeof(eight));
        const float* const left = a + row * k + x;
        for (size_t r = 0; r < 8; ++r) total[r] += left[r * k] * factor;
      }
      for (size_t r = 0; r < 8; ++r) __builtin_memcpy(sums + (row + r) * n + column, &total[r], sizeof(eight));
    }
}

/// Adds a product of matrices of f64 to `sums`, with one rounding per step (fused multiply-add).
inline void multiply_f64(double* sums, const double* a, const double* b, size_t m, size_t n, size_t k) {
  for (size_t row = 0; row < m; ++row)
    for (size_t column = 0; column < n; column += 8) {
      double total[8];
      __builtin_memcpy(total, sums + row * n + column, sizeof total);
      for (size_t x = 0; x < k; ++x)
        for (size_t c = 0; c < 8; ++c) total[c] = __builtin_fma(a[row * k + x], b[x * n + column + c], total[c]);
      __builtin_memcpy(sums + row * n + column, total, sizeof total);
    }
}
