// Everyday indices that divide by a number of the launch or by a constant, and are no cause for alarm.
#include <doctest/doctest.h>

#include "false_alarms.hpp"

using namespace false_alarms;

// clang-format off
TEST_CASE("a division by a run-time number has a verdict") {
  check("bias(i % cols)", place::view,
        tg::kernel<"line_1">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("table(i / cols)", place::view,
        tg::kernel<"line_2">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i / n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("bias(i / pixels % channels)", place::view,
        tg::kernel<"line_3">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i / n % m);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned w : divisors()) for (const unsigned u : {1u, 2u, 3u, 7u, 31u, 32u, 33u, 40u, 100u, 1000u}) run(8, v, out, u, w); });
        });
  check("x((i + shift) % n)", place::view,
        tg::kernel<"line_4">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + m) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) for (unsigned shift = 0; shift < 8; ++shift) run(8, v, out, u, shift); });
        });
  check("x((i + n - 1) % n)", place::view,
        tg::kernel<"line_5">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n - 1u) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x(i % n), bytes", place::view,
        tg::kernel<"line_6">(tg::block<64>, [](auto block, tg::in<unsigned char> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::cast<float>(x(i % n));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<unsigned char>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(64, v, out, u); });
        });
  check("x(i % n), doubles", place::view,
        tg::kernel<"line_7">(tg::block<64>, [](auto block, tg::in<double> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::cast<float>(x(i % n));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<double>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x(i % n), signed", place::view,
        tg::kernel<"line_8">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<int> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::cast<int>(i) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x.vec<4>(i * 4 % n), n a multiple of 4", place::view,
        tg::kernel<"line_9">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned, tg::multiple_of<4>> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x.template vec<4>(i * 4_c % n)(0);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u * 4); });
        });
}

TEST_CASE("a division by a constant has a verdict") {
  check("x((i + shift) % 1024_c)", place::view,
        tg::kernel<"line_10">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) % 1024_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i + shift & 1023_c)", place::view,
        tg::kernel<"line_11">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) & 1023_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x((i + shift) % 12_c)", place::view,
        tg::kernel<"line_12">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) % 12_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x((i + shift) / 3_c)", place::view,
        tg::kernel<"line_13">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) / 3_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i + shift >> 2)", place::view,
        tg::kernel<"line_14">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) >> 2_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i % 100 of a number that plain C++ gives)", place::view,
        tg::kernel<"line_15">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          int hundred = 100; y(i) = x((i + n) % hundred);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
}

// clang-format on
