#include <tg/runtime/capture_numbers.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/runtime/device.hpp>

namespace {

struct factors {
  float by;
  char extra;  // with bytes that belong to nobody behind it
  double unused;
};

auto scaled(factors f) {
  return tg::kernel<"scaled_by_bytes">(tg::block<32>, [f](auto block, tg::inout<float> x) {
    x(block.thread.x) = x(block.thread.x) * f.by + static_cast<float>(f.extra);
  });
}

auto scaled_by(const float& by) {
  return tg::kernel<"scaled_by_reference">(
      tg::block<32>, [&by](auto block, tg::inout<float> x) { x(block.thread.x) = x(block.thread.x) * by; });
}

auto scaled_by_text(std::string by) {
  return tg::kernel<"scaled_by_text">(
      tg::block<32>, [by](auto block, tg::inout<float> x) { x(block.thread.x) = x(block.thread.x) * std::stof(by); });
}

constexpr auto twice = tg::kernel<"twice_once">(
    tg::block<32>, [](auto block, tg::inout<float> x) { x(block.thread.x) = x(block.thread.x) * 2.0f; });

template <class K> float after(tg::device& gpu, const K& kernel) {
  auto x = gpu.upload(std::vector<float>(32, 1.0f));
  gpu.launch(kernel, tg::grid(1), x);
  return x.to_host()[31];
}

}  // namespace

TEST_CASE("what a lambda captures decides which kernel runs") {
  tg::device gpu("emulator");
  CHECK(after(gpu, scaled({3.0f, 0, 1.0})) == 3.0f);
  CHECK(after(gpu, scaled({5.0f, 0, 1.0})) == 5.0f);
  CHECK(after(gpu, scaled({3.0f, 2, 1.0})) == 5.0f);
  CHECK(after(gpu, scaled({3.0f, 0, 1.0})) == 3.0f);
}

TEST_CASE("equal bytes are one kernel, found without recording it") {
  tg::device gpu("emulator");
  const auto kernel = scaled({7.0f, 0, 1.0});
  const auto* first = &gpu.compile(kernel);
  CHECK(&gpu.compile(scaled({7.0f, 0, 1.0})) == first);
  CHECK(&gpu.compile(scaled({8.0f, 0, 1.0})) != first);
  const auto number = tg::runtime::number_of(kernel);
  REQUIRE(number != tg::runtime::no_number);
  CHECK(gpu.context()->modules().find(number) == first);
  CHECK(tg::runtime::number_of(scaled({7.0f, 0, 1.0})) == number);
  CHECK(tg::runtime::number_of(scaled({7.0f, 0, 2.0})) != number);
}

TEST_CASE("kernels with the same text are compiled once") {
  tg::device gpu("emulator");
  CHECK(&gpu.compile(scaled({9.0f, 0, 1.0})) == &gpu.compile(scaled({9.0f, 0, 2.0})));
}

#if __has_builtin(__builtin_clear_padding)
namespace {

/// Equal factors in memory that held other bytes before.
factors among(unsigned char garbage, float by, char extra) {
  alignas(factors) unsigned char room[sizeof(factors)];
  std::memset(room, garbage, sizeof room);
  factors& out = *reinterpret_cast<factors*>(room);
  out.by = by;
  out.extra = extra;
  out.unused = 1.0;
  return out;
}

}  // namespace

TEST_CASE("bytes between the members do not count") {
  CHECK(tg::runtime::number_of(scaled(among(0x00, 2.5f, 1))) == tg::runtime::number_of(scaled(among(0xff, 2.5f, 1))));
}
#endif

TEST_CASE("what a reference leads to may have changed, so such kernels are recorded at each call") {
  tg::device gpu("emulator");
  float by = 2.0f;
  const auto kernel = scaled_by(by);
  CHECK(tg::runtime::number_of(kernel) == tg::runtime::no_number);
  CHECK(after(gpu, kernel) == 2.0f);
  by = 3.0f;
  CHECK(after(gpu, kernel) == 3.0f);
  CHECK(after(gpu, scaled_by_text("2")) == 2.0f);
  CHECK(after(gpu, scaled_by_text("4")) == 4.0f);
}

TEST_CASE("only lambdas that capture plain bytes have them") {
  CHECK(tg::runtime::has_bytes<decltype(scaled({}))>);
  CHECK_FALSE(tg::runtime::has_bytes<std::remove_const_t<decltype(twice)>>);
  CHECK_FALSE(tg::runtime::has_bytes<decltype(scaled_by_text(""))>);
}

TEST_CASE("threads find the same number") {
  std::vector<std::size_t> numbers(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < numbers.size(); ++t)
    threads.emplace_back([&numbers, t] {
      for (int k = 0; k < 100; ++k) numbers[t] = tg::runtime::number_of(scaled({static_cast<float>(k), 1, 1.0}));
    });
  for (auto& t : threads) t.join();
  for (const std::size_t n : numbers) CHECK(n == numbers[0]);
}

TEST_CASE("a kernel that captures another number at each call does not fill memory without end") {
  const auto made = [](int k) {
    return tg::runtime::number_of(
        tg::kernel<"counted">(tg::block<32>, [k](auto block, tg::inout<int> x) { x(block.thread.x) = k; }));
  };
  const std::size_t first = made(-1);
  for (int k = 0; k < 4095; ++k) REQUIRE(made(k) != tg::runtime::no_number);
  CHECK(made(5000) == tg::runtime::no_number);
  CHECK(made(-1) == first);
  CHECK(made(4094) != tg::runtime::no_number);
}

TEST_CASE("addresses of the stack, the heap and variables are told from numbers") {
  static int variable = 0;
  int local = 0;
  const auto on_heap = std::make_unique<int>(0);
  for (const void* p : {static_cast<const void*>(&variable), static_cast<const void*>(&local),
                        static_cast<const void*>(on_heap.get()), static_cast<const void*>("text")}) {
    const void* words[2] = {nullptr, p};
    CHECK(tg::runtime::may_hold_address(words, sizeof words));
  }
  const std::uint64_t numbers[] = {0, 1, 4095, 0x3ff8000000000000, 0x4000000040000000, ~std::uint64_t{0}};
  CHECK_FALSE(tg::runtime::may_hold_address(numbers, sizeof numbers));
}
