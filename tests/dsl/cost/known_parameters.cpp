#include <tg/dsl/cost/known_parameters.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/finish.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/proof/analyze.hpp>

using namespace tg::literals;

namespace {

constexpr auto mixed = tg::kernel<"mixed">(
    tg::block<32>, [](auto block, tg::in2<float> x, tg::scalar<std::int8_t> a, tg::scalar<double> b,
                      tg::scalar<std::uint16_t> c, tg::scalar<float> d, tg::scalar<std::int64_t> e, tg::out<double> y) {
      y(block.thread.x) = tg::cast<double>(tg::cast<int>(a)) + b + tg::cast<double>(tg::cast<int>(c)) + tg::cast<double>(d) +
                          tg::cast<double>(e) + tg::cast<double>(x(3_c, block.thread.x));
    });

/// The parameters of `mixed` as a launch packs them.
struct packed {
  std::uint64_t x = 0x1000;
  std::uint32_t row_bytes = 640;
  std::int8_t a = -7;
  double b = 2.5;
  std::uint16_t c = 65000;
  float d = 0.25f;
  std::int64_t e = -3000000000;
  std::uint64_t y = 0x2000;
};

template <class K> tg::traced_kernel known(const K& kernel, std::span<const std::byte> bytes) {
  auto out = tg::detail::record(tg::detail::to_recordable(kernel));
  tg::detail::put_in_parameters(out.module, tg::detail::facts_of(kernel), bytes);
  return out;
}
std::size_t count(const std::string& text, const std::string& what) {
  std::size_t out = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++out;
  return out;
}

}  // namespace

TEST_CASE("scalars and strides become numbers, addresses stay") {
  const packed all;
  auto traced = known(mixed, std::as_bytes(std::span(&all, 1)));
  const std::string text = tg::detail::finish(traced.module);
  CAPTURE(text);
  CHECK(count(text, "ld.param") == 2);
  CHECK(count(text, "ld.param.u64") == 2);
  CHECK(text.find("+1920]") != text.npos);           // three rows of 640 bytes
  const double sum = -7 + 2.5 + 65000 + 0.25 - 3e9;  // what the passes make of the scalars
  char number[20];
  std::snprintf(number, sizeof number, "0d%016llX", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(sum)));
  CHECK(text.find(number) != text.npos);
}

TEST_CASE("parameters behind the bytes that are given stay") {
  const packed all;
  auto traced = known(mixed, std::as_bytes(std::span(&all, 1)).first(24));  // up to b
  const std::string text = tg::detail::finish(traced.module);
  CHECK(count(text, "ld.param") == 5);
}

TEST_CASE("bytes of tiles whose size the launch decides") {
  constexpr auto sized = tg::kernel<"sized">(tg::block<32>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
    const auto line = tg::shared<float>(n + 2u);
    line(block.thread.x) = 1.0f;
    block.sync();
    y(block.thread.x) = line(31u - block.thread.x);
  });
  struct {
    std::uint64_t y = 0;
    std::uint32_t n = 100;
  } all;
  auto traced = known(sized, std::as_bytes(std::span(&all, 1)));
  CHECK(tg::detail::sized_tile_bytes(traced.module, std::as_bytes(std::span(&all, 1))) == 4 * 102 + 8);
  CHECK(tg::detail::sized_tile_bytes(traced.module, {}) == 0);
}
