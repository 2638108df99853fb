#include <tg/dsl/kernel/launch_bounds.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/lower.hpp>

namespace {

constexpr auto body = [](auto block, tg::out<float> y) { y(block.global_index()) = 1.0f; };
constexpr auto unbounded = tg::kernel<"unbounded">(tg::block<256>, body);
constexpr auto bounded = tg::kernel<"bounded">(tg::block<256> | tg::max_registers<64> | tg::min_blocks<4>, body);
constexpr auto resident = tg::kernel<"resident">(tg::block<32, 8> | tg::min_blocks<2>, body);

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

static_assert(tg::detail::max_registers_of<std::remove_cvref_t<decltype(bounded.block)>> == 64);
static_assert(decltype(bounded.block)::threads == 256 && decltype(resident.block)::y == 8);

TEST_CASE("bounds of registers reach the PTX") {
  const auto lowered = tg::lower(bounded);
  const auto& bounds = lowered.module.functions[0].bounds;
  CHECK(bounds.max_registers == 64);
  CHECK(bounds.min_blocks_per_sm == 4);
  CHECK(bounds.required_threads == tg::fixed_array<std::uint32_t, 3>{256, 1, 1});
  CHECK(has(lowered.ptx, ".maxnreg 64"));
  CHECK(has(lowered.ptx, ".minnctapersm 4"));
}

TEST_CASE("what is not asked for is not written") {
  CHECK_FALSE(has(tg::lower(unbounded).ptx, ".maxnreg"));
  CHECK_FALSE(has(tg::lower(unbounded).ptx, ".minnctapersm"));
  CHECK_FALSE(has(tg::lower(resident).ptx, ".maxnreg"));
  CHECK(has(tg::lower(resident).ptx, ".minnctapersm 2"));
}
