#include <tg/dsl/wgmma/wgmma.hpp>

#include "product_of_tiles.hpp"

using namespace product_of_tiles;
using tg::b1, tg::bf16, tg::f16, tg::f8e4m3, tg::f8e5m2, tg::tf32;
using s8 = signed char;
using u8 = unsigned char;

TEST_CASE("products of f16 and bf16, both operands in any layout") {
  check_shared<shape<64, 64, 64, bf16, bf16, float>, major::k, 128, major::k, 128>();
  check_shared<shape<64, 8, 64, bf16, bf16, float>, major::k, 64, major::k, 32>();
  check_shared<shape<64, 136, 64, f16, f16, float>, major::k, 32, major::k, 64>();
  check_shared<shape<64, 24, 32, f16, f16, f16>, major::k, 16, major::k, 16>();
  check_shared<shape<64, 64, 48, f16, f16, f16>, major::mn, 128, major::mn, 128>();
  check_shared<shape<64, 32, 32, bf16, bf16, float>, major::mn, 64, major::mn, 64>();
  check_shared<shape<64, 48, 64, bf16, bf16, float>, major::mn, 32, major::mn, 32>();
  check_shared<shape<64, 40, 32, f16, f16, float>, major::mn, 16, major::mn, 16>();
  check_shared<shape<64, 256, 64, bf16, bf16, float>, major::k, 128, major::mn, 128>();
  check_shared<shape<128, 128, 64, f16, f16, float>, major::mn, 128, major::k, 128>();
  check_shared<shape<128, 64, 64, f16, f16, f16>, major::k, 128, major::mn, 64>();
}

TEST_CASE("products of tf32, 8-bit floats, integers and bits") {
  check_shared<shape<64, 64, 32, tf32, tf32, float>, major::k, 128, major::k, 128>();
  check_shared<shape<64, 8, 16, tf32, tf32, float>, major::k, 32, major::k, 16>();
  check_shared<shape<64, 128, 128, f8e4m3, f8e4m3, float>, major::k, 128, major::k, 128>();
  check_shared<shape<64, 72, 64, f8e4m3, f8e5m2, f16>, major::k, 64, major::k, 32>();
  check_shared<shape<64, 16, 32, f8e5m2, f8e4m3, float>, major::k, 16, major::k, 32>();
  check_shared<shape<64, 96, 128, s8, s8, int>, major::k, 128, major::k, 128>();
  check_shared<shape<64, 24, 64, u8, s8, int>, major::k, 64, major::k, 16>();
  check_shared<shape<128, 16, 32, u8, u8, int>, major::k, 32, major::k, 32>();
  check_shared<shape<64, 32, 1024, b1, b1, int>, major::k, 128, major::k, 128>();
  check_shared<shape<64, 8, 256, b1, b1, int>, major::k, 16, major::k, 32>();
}

TEST_CASE("A in the registers of the warps") {
  check_registers<shape<64, 64, 64, bf16, bf16, float>, major::k, 128>();
  check_registers<shape<64, 128, 32, f16, f16, f16>, major::mn, 64>();
  check_registers<shape<64, 8, 24, tf32, tf32, float>, major::k, 32>();
  check_registers<shape<64, 40, 64, f8e5m2, f8e5m2, f16>, major::k, 64>();
  check_registers<shape<64, 16, 96, s8, u8, int>, major::k, 32>();
  check_registers<shape<64, 8, 512, b1, b1, int>, major::k, 64>();
}

TEST_CASE("sums that start with numbers, are overwritten, subtracted from") {
  using own = shape<64, 32, 32, f16, f16, float>;
  using sums = tg::group_accumulator<64, 32, float>;
  check_shared<own, major::k, 64, major::k, 64>(
      [](auto a, auto b) {
        sums sum = 3.0f;
        return tg::wgmma(std::move(sum), a, b).wait();
      },
      1, 3);
  check_shared<own, major::k, 64, major::k, 64>([](auto a, auto b) {
    sums sum = 3.0f;
    return tg::wgmma(std::move(sum), a, b, false).wait();
  });
  check_shared<own, major::k, 64, major::k, 64>(
      [](auto a, auto b) {
        sums sum = 3.0f;
        return tg::wgmma(std::move(sum), -a, b).wait();
      },
      -1, 3);
  check_shared<own, major::k, 64, major::mn, 64>(
      [](auto a, auto b) {
        sums sum = 3.0f;
        return tg::wgmma(std::move(sum), -a, -b).then(a, -b).wait();
      },
      0, 3);
}

TEST_CASE("a loop adds slice by slice, two groups under way") {
  using own = shape<64, 64, 192, bf16, bf16, float>;
  check_shared<own, major::k, 128, major::mn, 128>([](auto a, auto b) {
    tg::group_accumulator<64, 64, float> sum;
    auto first = tg::wgmma(std::move(sum), a.slice(64_c, 0_c), b.slice(64_c, 0_c), false);
    auto rest = tg::for_groups(tg::range(1u, 3u), std::move(first), [&](auto k, auto groups) {
      auto two = groups.then(a.slice(64_c, k), b.slice(64_c, k));
      return two.wait(1_c);
    });
    return rest.wait();
  });
  check_shared<own, major::k, 128, major::k, 64>([](auto a, auto b) {
    tg::group_accumulator<64, 64, float> sum = 0.0f;
    tg::var<unsigned> k = 0u;
    auto empty = tg::wgmma(std::move(sum), a.slice(16_c, 0_c), b.slice(16_c, 0_c), k > 0u).wait();
    return tg::wgmma(std::move(empty),
                     [&](auto& products) {
                       tg::unroll<11>([&](auto s) { products.add(a.slice(16_c, s + 1_c), b.slice(16_c, s + 1_c)); });
                     })
        .wait();
  });
}

TEST_CASE("two accumulators under way, waited for one after the other") {
  using own = shape<128, 32, 64, bf16, bf16, float>;
  check_shared<own, major::k, 128, major::k, 128>([](auto a, auto b) {
    tg::group_accumulator<64, 32, float> top, bottom = 0.0f;
    auto one = tg::wgmma(std::move(top), a.part(64_c, 0_c), b, false);
    auto both = one.then(std::move(bottom), a.part(64_c, 1_c), b);
    auto half = both.wait(1_c);
    const auto upper = std::move(half.sums);
    tg::group_accumulator<128, 32, float> all;
    for (int r = 0; r < 16; ++r) all(r) = upper(r);
    const auto lower = half.groups.wait();
    for (int r = 0; r < 16; ++r) all(r + 16) = lower(r);
    return all;
  });
}

TEST_CASE("two accumulators take turns in a loop, one always under way") {
  using own = shape<64, 32, 32, f16, f16, float>;
  check_shared<own, major::k, 64, major::k, 64>(
      [](auto a, auto b) {
        tg::group_accumulator<64, 32, float> one, other = 3.0f;
        auto landed = tg::wgmma(std::move(one), a, b, false).then(std::move(other), a, b).wait(1_c);
        auto scores = std::move(landed.sums);
        auto rest = tg::for_groups(tg::range(2u), std::move(landed.groups), [&](auto, auto groups) {
          auto sum = groups.then(std::move(scores), a, b, false).wait(1_c);
          auto next = sum.groups.then(std::move(sum.sums), a, b).wait(1_c);
          scores = std::move(next.sums);
          return std::move(next.groups);
        });
        auto sum = rest.wait();
        for (int r = 0; r < 16; ++r) sum(r) -= 2.0f * scores(r);
        return sum;
      },
      1, 3);
}

TEST_CASE("integers that stay in their range") {
  using own = shape<64, 16, 32, s8, s8, int>;
  check_shared<own, major::k, 32, major::k, 32>([](auto a, auto b) {
    tg::group_accumulator<64, 16, int> sum;
    return tg::wgmma(std::move(sum), [&](auto& products) { products.add_saturating(a, b, false); }).wait();
  });
}
