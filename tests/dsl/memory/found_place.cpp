#include <tg/dsl/memory/found_place.hpp>

#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"

using namespace tg::literals;
using tg::detail::access_facts;
using tg::detail::found_costs;
using tg::detail::index_operand;
using tg::ptx::operand;
using tg::ptx::token;

namespace {

constexpr int pitches[] = {128, 1}, extents[] = {16, 128};
constexpr tg::analysis::swizzle_bits terms[] = {{3, 3, 4}, {2, 0, 7}};

/// The instructions that find element (thread.x, 5) of a tile with these terms, and the bytes from the address on.
std::pair<std::string, std::int64_t> find(int term_count, int column) {
  std::int64_t offset = 0;
  const auto r = recording::of<tg::block_t<32>>([&](auto block, recording::parameters) {
    const tg::detail::tile_registers tile = tg::detail::make_tile(8192, {});
    const index_operand at[] = {{block.thread.x.operand, token::u32}, {operand::integer(column), token::u32}};
    const auto index = tg::detail::to_physical({pitches, extents, 2, terms, term_count}, at, 0);
    offset = tg::detail::tile_address(tile, 2, index.operand).value;
  });
  return {r.text, offset};
}

}  // namespace

TEST_CASE("an element of a tile is found by its pitch and the terms of its swizzle") {
  CHECK(find(0, 5).first == "mov.u32 mul.lo.u32 add.u32 mul.lo.u32 add.u32");
  CHECK(find(1, 5).first == "mov.u32 mul.lo.u32 add.u32 shr.u32 and.b32 xor.b32 mul.lo.u32 add.u32");
  CHECK(find(2, 5).first == "mov.u32 mul.lo.u32 add.u32 shr.u32 and.b32 xor.b32 shr.u32 and.b32 xor.b32 mul.lo.u32 add.u32");
}

TEST_CASE("costs that the compiler found are kept, and others are found from what is recorded") {
  static constexpr tg::analysis::shared_cost cost{.wavefronts = 4, .ideal_wavefronts = 1, .ways = 4};
  static constexpr std::uint8_t like[tg::analysis::max_block_warps] = {};
  const auto found = [](const access_facts<tg::analysis::shared_cost>& known) {
    tg::access out;
    (void)recording::of<tg::block_t<32>>([&](auto block, recording::parameters) {
      const tg::detail::tile_registers tile = tg::detail::make_tile(8192, {});
      const index_operand at[] = {{operand::integer(0), token::u32}, {block.thread.x.operand, token::u32}};
      out = tg::detail::find_in_tile({pitches, extents, 2, terms, 0}, tile, known, at, 0, {}, "a reason").entry;
    });
    return out;
  };
  const tg::access kept = found({4, 4, 201, 0, false, found_costs<tg::analysis::shared_cost>{&cost, &cost, like}});
  CHECK(kept.shared == cost);
  CHECK(kept.verdict == tg::verdict::allowed);
  CHECK(kept.shared_of_warp[31].wavefronts == 4);
  CHECK(kept.reason == "a reason");
  const tg::access traced = found({4, 4, 0});
  CHECK(traced.verdict == tg::verdict::traced);
  CHECK(traced.shared.wavefronts == 1);
}

TEST_CASE("elements are loaded and stored with one instruction, which keeps its entry") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    const tg::detail::tile_registers tile = tg::detail::make_tile(8192, {});
    const operand at = tg::detail::tile_address(tile, 16, block.thread.x.operand);
    const tg::detail::place p{at, token::shared, token::none, {.is_shared = true, .element_bytes = 4, .access_bytes = 16}};
    operand registers[4];
    tg::detail::load_registers(p, token::b32, token::f32, registers, 4);
    tg::detail::store_registers(p, registers, 1, token::f32);
  });
  CHECK(r.text == "mov.u32 mul.lo.u32 add.u32 ld.shared.v4.f32 st.shared.f32");
  REQUIRE(r.accesses.size() == 2);
  CHECK_FALSE(r.accesses[0].is_write);
  CHECK(r.accesses[1].is_write);
}
