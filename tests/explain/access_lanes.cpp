#include <tg/explain/access_lanes.hpp>

#include <doctest/doctest.h>

#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/kernel/record.hpp>
#include <tg/dsl/structs/struct_element.hpp>

namespace explained {

struct pixel { std::uint8_t r, g, b; };

}  // namespace explained

BOOST_HANA_ADAPT_STRUCT(explained::pixel, r, g, b);

using namespace tg::literals;
namespace analysis = tg::analysis;

namespace {

template <class K>
tg::dynamic_array<tg::detail::access_lanes> lanes_of(const K& kernel, tg::dynamic_array<tg::access>& accesses) {
  tg::dynamic_array<tg::detail::access_lanes> out;
  const auto see = [&](tg::detail::tape& t) { out = tg::detail::access_tracer(t).run(); };
  accesses = tg::detail::record(tg::detail::to_recordable(kernel), see).accesses;
  return out;
}

constexpr auto mixed = tg::kernel<"mixed">(
    tg::block<64>, [](auto block, tg::in<float> x, tg::in<unsigned> at, tg::in2<float> m, tg::out<float> y) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      const auto i = block.thread.x;
      tile(i) = x(i + 1_c);  // a base in the middle of a sector
      block.sync();
      y(i) = tile(i ^ 3_c) + x(tg::gather(at(i)));                  // one depends on data
      y(i + 64_c) = x(i * 3_c, tg::allow<tg::TG202>("a subject"));  // 12 bytes apart
      y(i + 128_c) = m(i, 0_c, tg::allow<tg::TG202>("a subject"));  // rows apart
    });

}  // namespace

TEST_CASE("each drawing has the cost of the verdict") {
  tg::dynamic_array<tg::access> accesses;
  const auto lanes = lanes_of(mixed, accesses);
  REQUIRE(lanes.size() == accesses.size());
  int gathered = 0;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    CAPTURE(accesses[n].where.line);
    if (accesses[n].verdict == tg::verdict::gather) {
      ++gathered;
      CHECK_FALSE(lanes[n].global.has_value());
    } else if (accesses[n].is_shared) {
      REQUIRE(lanes[n].shared.has_value());
      CHECK(analysis::count_shared(*lanes[n].shared).wavefronts == accesses[n].shared.wavefronts);
      CHECK(lanes[n].tile == "tile0");
    } else {
      REQUIRE(lanes[n].global.has_value());
      CHECK(analysis::count_global(*lanes[n].global).sectors == accesses[n].global.sectors_best);
    }
  }
  CHECK(gathered == 1);
}

TEST_CASE("instructions that move pieces of structs are drawn where they move them") {
  tg::dynamic_array<tg::access> accesses;
  const auto lanes = lanes_of(tg::kernel<"pixels">(tg::block<64>,
                                                   [](auto block, tg::in<explained::pixel> p, tg::out<explained::pixel> q) {
                                                     const auto tile = tg::shared<explained::pixel>(tg::shape<64>);
                                                     tile(block.thread.x) = p(block.thread.x);
                                                     block.sync();
                                                     q(block.thread.x) = tile(63_c - block.thread.x);
                                                   }),
                              accesses);
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    if (accesses[n].is_shared) {
      REQUIRE(lanes[n].shared.has_value());
      CHECK(analysis::count_shared(*lanes[n].shared).wavefronts == accesses[n].shared.wavefronts);
    } else {
      REQUIRE(lanes[n].global.has_value());
      CHECK(analysis::count_global(*lanes[n].global).sectors == accesses[n].global.sectors_best);
      CHECK(lanes[n].lane_step_bytes == 3);
      CHECK(lanes[n].global->address_bytes[0] % 32 == accesses[n].offset_bytes);
    }
  }
}

TEST_CASE("the distance of neighbouring lanes is known, or that rows lie between them") {
  tg::dynamic_array<tg::access> accesses;
  const auto lanes = lanes_of(mixed, accesses);
  tg::dynamic_array<std::int64_t> steps;
  bool has_strides = false;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    if (accesses[n].verdict != tg::verdict::allowed) continue;
    has_strides = has_strides || lanes[n].has_strides;
    if (!lanes[n].has_strides) steps.push_back(lanes[n].lane_step_bytes);
  }
  CHECK(steps == tg::dynamic_array<std::int64_t>{12});
  CHECK(has_strides);
}

TEST_CASE("a column of a tile meets in one bank, and padded does not") {
  tg::dynamic_array<tg::access> accesses;
  int conflicts = 0;
  for (const auto& at : lanes_of(tg::kernels::transpose_tiled, accesses))
    if (at.shared && analysis::count_shared(*at.shared).wavefronts == 32) ++conflicts;
  CHECK(conflicts == 4);
  for (const auto& at : lanes_of(tg::kernels::transpose_padded, accesses))
    if (at.shared) CHECK(analysis::count_shared(*at.shared).wavefronts == 1);
}
