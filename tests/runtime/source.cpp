#include <tg/runtime/source.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/let.hpp>

namespace {

constexpr auto twice = tg::kernel<"twice">(tg::block<64>, [](auto block, tg::inout<float> x, tg::scalar<unsigned> n) {
  auto i = tg::let(block.global_index());
  tg::if_(i < n, [&] { x(i) = x(i) * 2.0f; });
});

auto scaled(float by) {
  return tg::kernel<"scaled">(tg::block<64>, [by](auto block, tg::inout<float> x) {
    auto i = tg::let(block.global_index());
    x(i) = x(i) * by;
  });
}

struct bare {};

}  // namespace

TEST_CASE("a kernel that captures is not one for all calls") {
  CHECK(tg::runtime::is_constant_kernel<std::remove_const_t<decltype(twice)>>);
  CHECK_FALSE(tg::runtime::is_constant_kernel<decltype(scaled(2))>);
  CHECK(tg::runtime::is_constant_kernel<bare>);
  CHECK_FALSE(tg::runtime::is_constant_kernel<int>);
}

TEST_CASE("a kernel knows its line, and its text its needs") {
  CHECK(tg::runtime::line_of(twice).is_known());
  CHECK_FALSE(tg::runtime::line_of(bare{}).is_known());
  const auto source = source_of(twice);
  CHECK(source.ptx == tg::to_ptx(twice));
  CHECK(source.ptx.find(".entry twice") != std::string::npos);
  CHECK(source.sm >= 50);
  CHECK(source.ptx.find(".version " + std::to_string(source.version.major) + ".") != std::string::npos);
  CHECK(source_of(scaled(2)).ptx != source_of(scaled(3)).ptx);
}
