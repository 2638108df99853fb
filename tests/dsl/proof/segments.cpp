#include <tg/dsl/proof/segments.hpp>

#include <type_traits>

#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

#include "planted.hpp"

using namespace planted;
using tg::question;

TEST_CASE("sequences of a batch lie one after another, as many elements each as the guard lets through") {
  check_proved([](auto b, auto, auto y, auto, auto, auto n, auto) {
    const auto i = tg::let(b.global_index());
    tg::if_(i < n, [&] { y(b.index.y * n + i) = 1.0f; });
  });
  const auto other = analyze<tg::block_t<64>>([](auto b, auto, auto y, auto, auto, auto n, auto k) {
    const auto i = tg::let(b.global_index());
    tg::if_(i < k, [&] { y(b.index.y * n + i) = 1.0f; });
  });
  CHECK_FALSE(other.race_free());
  const auto unguarded = analyze<tg::block_t<64>>(
      [](auto b, auto, auto y, auto, auto, auto n, auto) { y(b.index.y * n + b.global_index()) = 1.0f; });
  CHECK_FALSE(unguarded.race_free());
}

TEST_CASE("sequences are as many rows each, in whatever order the blocks take them") {
  check_proved([](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto row = tg::let(b.grid.x - 1_c - b.index.x);
    tg::if_(row < n, [&] { m(b.index.z * n + row, b.global.y * 64_c + b.thread.x) = 1.0f; });
  });
  const auto other = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto row = tg::let(b.grid.x - 1_c - b.index.x);
    tg::if_(row <= n, [&] { m(b.index.z * n + row, b.global.y * 64_c + b.thread.x) = 1.0f; });
  });
  CHECK_FALSE(other.race_free());
}

TEST_CASE("sequences lie beside each other in rows, as many elements each") {
  check_proved([](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto i = tg::let(b.global_index());
    tg::if_(i < n, [&] { m(b.index.y, b.index.z * n + i) = 1.0f; });
  });
  const auto other = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto n, auto) {
    const auto i = tg::let(b.global_index());
    tg::if_(i <= n, [&] { m(b.index.y, b.index.z * n + i) = 1.0f; });
  });
  CHECK_FALSE(other.race_free());
}

TEST_CASE("blocks that take turns in bands have rows and columns of their own") {
  check_proved([](auto b, auto, auto, auto, auto m, auto, auto) {
    m(b.index.y * 4_c + b.index.x % 4_c, b.index.x / 4_c * 64_c + b.thread.x) = 1.0f;
  });
  const auto narrow = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto, auto) {
    m(b.index.y * 3_c + b.index.x % 4_c, b.index.x / 4_c * 64_c + b.thread.x) = 1.0f;
  });
  CHECK_FALSE(narrow.race_free());
  const auto other = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto, auto) {
    m(b.index.y * 4_c + b.index.x % 4_c, b.index.x / 8_c * 64_c + b.thread.x) = 1.0f;
  });
  CHECK_FALSE(other.race_free());
}

TEST_CASE("rows of halves are rows, however many of them one access moves") {
  const auto a =
      tg::analyze(tg::kernel<"halves">(tg::block<64>, [](auto b, tg::in2<tg::bf16, tg::multiple_of<8>> x,
                                                         tg::out2<tg::bf16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
        tg::if_(b.index.x < n, [&] {
          y.template vec<8>(b.index.z * n + b.index.x, b.thread.x * 8_c) = x.template vec<8>(b.index.x, b.thread.x * 8_c);
        });
      }));
  INFO(a.text());
  CHECK(a.refuted().empty());
  CHECK(a.unknown().empty());
}

TEST_CASE("sequences are as many elements each as a multiple of an argument and a few more") {
  const auto words = [](unsigned more, unsigned last) {
    return [=](auto b, auto, auto y, auto, auto, auto n, auto) {
      const auto i = tg::let(b.global_index());
      const auto size = tg::let(tg::cast<std::uint64_t>(n) * std::uint64_t{3} + std::uint64_t{more});
      tg::if_(i < n,
              [&] { y(tg::cast<std::uint64_t>(b.index.y) * size + tg::cast<std::uint64_t>(i) + std::uint64_t{last}) = 1.0f; });
    };
  };
  check_proved(words(2, 0));
  check_proved(words(2, 4));
  // One element of the next sequence, where n is 1.
  CHECK_FALSE(analyze<tg::block_t<64>>(words(2, 5)).race_free());
  CHECK_FALSE(analyze<tg::block_t<64>>(words(1, 4)).race_free());
}

TEST_CASE("parts that move on in rows and in a row at once are not followed") {
  // Blocks 0 and 1 write row 1 and column 1 both, where n is 1.
  const auto both = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto n, auto) {
    tg::if_(n >= 1u, [&] { m(b.index.z * n + b.thread.x / 32_c, b.index.z * n + b.thread.x % 32_c) = 1.0f; });
  });
  CHECK_FALSE(both.race_free());
  const auto by_constant = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto, auto) {
    m(b.index.z + b.thread.x / 32_c, b.index.z * 8_c + b.thread.x % 32_c) = 1.0f;
  });
  CHECK_FALSE(by_constant.race_free());
}

TEST_CASE("blocks along one axis are numbered by the rows and by the columns of their parts") {
  const auto parts = [](auto is_positive, auto of_row, auto of_column, unsigned more) {
    return [=](auto b, auto, auto, auto, auto m, auto n, auto k) {
      const auto count = [&] {
        if constexpr (is_positive) return tg::let(tg::max(n, 1u));
        else return n.get();
      }();
      const auto row = tg::let(b.index.y);
      const auto column = tg::let(b.global_index());
      tg::if_(row < k && column < k + more,
              [&] { m(of_row(b.index.z, count) * k + row, of_column(b.index.z, count) * k + column) = 1.0f; });
    };
  };
  const auto quotient = [](auto a, auto b) { return a / b; };
  const auto rest = [](auto a, auto b) { return a % b; };
  check_proved(parts(std::true_type{}, rest, quotient, 0));
  check_proved(parts(std::true_type{}, quotient, rest, 0));
  const auto is_free = [&](auto statements) { return analyze<tg::block_t<64>>(statements).race_free(); };
  // Where n is 0, all blocks may find the same.
  CHECK_FALSE(is_free(parts(std::false_type{}, rest, quotient, 0)));
  CHECK_FALSE(is_free(parts(std::true_type{}, rest, quotient, 1)));
  CHECK_FALSE(is_free(parts(std::true_type{}, rest, rest, 0)));
  CHECK_FALSE(is_free(parts(std::true_type{}, quotient, quotient, 0)));
  const auto of_next = [](auto a, auto b) { return a % (b + 1u); };
  CHECK_FALSE(is_free(parts(std::true_type{}, of_next, quotient, 0)));
}

TEST_CASE("blocks have a constant number of elements each, where a launch has no more blocks beside each other") {
  const auto halves = [](unsigned blocks) {
    return [=](auto b, auto, auto, auto, auto m, auto, auto) {
      tg::assume(b.index.x < blocks);
      m(b.index.z, b.index.y * 128_c + b.index.x * 64_c + b.thread.x) = 1.0f;
    };
  };
  check_proved(halves(2));
  CHECK_FALSE(analyze<tg::block_t<64>>(halves(3)).race_free());
  const auto any = analyze<tg::block_t<64>>([](auto b, auto, auto, auto, auto m, auto, auto) {
    m(b.index.z, b.index.y * 128_c + b.index.x * 64_c + b.thread.x) = 1.0f;
  });
  CHECK_FALSE(any.race_free());
}
