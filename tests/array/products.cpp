#include <tg/array/products.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <tg/array/matmul.hpp>
#include <tg/runtime/telemetry.hpp>

#include <bench/ampere.hpp>

#include "../random_seed.hpp"
#include "matrices.hpp"

using arrays::host;

TEST_CASE("blocks in groups of rows compute each tile once") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  // More and fewer rows of tiles than a group has, and several matrices.
  for (const auto& [count, rows, columns] :
       {std::array<std::int64_t, 3>{1, 1300, 300}, std::array<std::int64_t, 3>{3, 1100, 200},
        std::array<std::int64_t, 3>{2, 130, 900}, std::array<std::int64_t, 3>{1, 2100, 10}}) {
    const host a = arrays::random_numbers<tg::bf16>({count, rows, 16}, random),
               b = arrays::random_numbers<tg::bf16>({16, columns}, random);
    const tg::array<tg::bf16, 3> da(gpu, {count, rows, 16}, a.numbers);
    const tg::array<tg::bf16, 2> db(gpu, {16, columns}, b.numbers);
    tg::array<float, 3> c(gpu, {count, rows, columns});
    c = 0.0f;
    c = tg::matmul(da, db) + c;  // twice would be seen
    const std::int64_t shown = rows;
    CAPTURE(shown);
    CHECK(arrays::excess_of_products(arrays::on_host(c), arrays::matmul(a, b), a, b) <= 1);
  }
}

TEST_CASE("two products with the same left operand are one kernel") {
  std::mt19937 random(random_seed());
  const auto check = [&](const tg::device& gpu, std::int64_t m, std::int64_t k, std::int64_t n, bool is_computed) {
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    const host x = arrays::random_numbers<tg::bf16>({m, k}, random), gate = arrays::random_numbers<tg::bf16>({k, n}, random),
               up = arrays::random_numbers<tg::bf16>({k, n}, random);
    const tg::array<tg::bf16, 2> dx(gpu, {m, k}, x.numbers), dgate(gpu, {k, n}, gate.numbers), dup(gpu, {k, n}, up.numbers);
    const tg::array<tg::bf16, 2> turned = tg::transpose(dgate), also_turned = tg::transpose(dup);
    const host a = arrays::matmul(x, gate), b = arrays::matmul(x, up);
    const auto worst = [&](const tg::array<float, 2>& first, const tg::array<float, 2>& second) {
      return std::max(arrays::excess_of_products(arrays::on_host(first), a, x, gate),
                      arrays::excess_of_products(arrays::on_host(second), b, x, up));
    };
    tg::array<float, 2> first(gpu, {m, n}), second(gpu, {m, n});
    const auto before = tg::telemetry_of(gpu).launches;
    if (is_computed)
      tg::assign(tg::into(first) = tg::matmul(dx * tg::bf16(1.0f), dgate),
                 tg::into(second) = tg::matmul(dx * tg::bf16(1.0f), dup));
    else tg::assign(tg::into(first) = tg::matmul(dx, dgate), tg::into(second) = tg::matmul(dx, dup));
    CHECK(tg::telemetry_of(gpu).launches == before + 1);
    CHECK(worst(first, second) <= 1);
    tg::assign(tg::into(second) = tg::matmul(dx, tg::transpose(also_turned)),
               tg::into(first) = tg::matmul(dx, tg::transpose(turned)));
    CHECK(worst(first, second) <= 1);
    // One of them lies otherwise, and the result is turned.
    tg::array<float, 2> result(gpu, {n, m});
    result.transpose() = tg::matmul(dx, dgate) - tg::matmul(dx, also_turned.transpose());
    const host difference = arrays::on_host(tg::eval(result.transpose()));
    for (std::size_t e = 0; e < difference.numbers.size(); ++e)
      CHECK(difference.numbers[e] == doctest::Approx(a.numbers[e] - b.numbers[e]).epsilon(1e-3).scale(static_cast<double>(k)));
  };
  const tg::device gpu, ampere = bench::ampere();
  for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{1, 8, 8}, {130, 72, 136}, {65, 13, 67}})
    for (const auto* device : {&gpu, &ampere})
      for (const bool is_computed : {false, true}) check(*device, m, k, n, is_computed);
}

TEST_CASE("a gate and what it lets through, in each type and with what stands around them") {
  const tg::device gpu;
  std::mt19937 random(random_seed());
  const auto check = [&]<class T>(std::type_identity<T>) {
    constexpr std::int64_t m = 70, k = 48, n = 96, count = 2;
    const host x = arrays::random_numbers<T>({count, m, k}, random), gate = arrays::random_numbers<T>({n, k}, random),
               up = arrays::random_numbers<T>({n, k}, random), bias = arrays::random_numbers<float>({n}, random);
    const tg::array<T, 3> dx(gpu, {count, m, k}, x.numbers);
    const tg::array<T, 2> dgate(gpu, {n, k}, gate.numbers), dup(gpu, {n, k}, up.numbers);
    const tg::array<float, 1> dbias(gpu, {n}, bias.numbers);
    const tg::array<float, 3> y = tg::silu(tg::cast<float>(tg::matmul(dx, dgate.transpose())) * 0.1f + dbias) *
                                  tg::cast<float>(tg::matmul(dx, dup.transpose()));
    const host got = arrays::on_host(y);
    for (std::int64_t c = 0, e = 0; c < count; ++c)
      for (std::int64_t r = 0; r < m; ++r)
        for (std::int64_t column = 0; column < n; ++column, ++e) {
          double a = 0, b = 0, size = 0;
          for (std::int64_t d = 0; d < k; ++d) {
            a += arrays::at(x, {c, r, d}) * arrays::at(gate, {column, d});
            b += arrays::at(x, {c, r, d}) * arrays::at(up, {column, d});
            size += std::abs(arrays::at(x, {c, r, d}) * arrays::at(up, {column, d}));
          }
          a = a * 0.1 + arrays::at(bias, {column});
          const double wanted = a / (1 + std::exp(-a)) * b;
          CHECK(got.numbers[static_cast<std::size_t>(e)] ==
                doctest::Approx(wanted).epsilon(1e-3).scale(1 + std::abs(a) * size));
        }
  };
  check(std::type_identity<float>{});
  check(std::type_identity<tg::bf16>{});
  check(std::type_identity<tg::f16>{});
  check(std::type_identity<signed char>{});
}
