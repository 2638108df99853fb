#include <tg/dsl/async/stages.hpp>

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/matrix/load_matrix.hpp>
#include <tg/dsl/vector/regs.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

constexpr unsigned parts = 7;

/// Each block sums n / 32 tiles of 4 x 32 numbers through a ring of three.
const auto ring = tg::kernel<"ring">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
  const auto lane = block.thread.x;
  const auto row = lane / 8_c;
  const auto column = lane % 8_c * 4_c;
  const auto count = tg::let(n / 32u);
  auto ring = tg::stages<float, 3>(tg::shape<4, 32>);
  const auto fetch = [&](auto part, auto slot) {
    tg::if_(part < count,
            [&] { tg::async_copy(ring.fill(slot).template vec<4>(row, column), x.vec<4>(part * 128u + lane * 4_c)); });
  };
  fetch(0u, 0_c);
  tg::async_groups start;
  auto one = start.commit();
  fetch(1u, 1_c);
  tg::regs<float, 4> sum = 0.0f;
  auto rest = tg::for_groups(tg::range(count), one.commit(), [&](auto part, auto groups) {
    auto ready = groups.wait(1_c);
    block.sync();
    const auto tile = ring.read(ready, part % 3_c);
    for (int r = 0; r < 4; ++r) sum(r) += tile(static_cast<unsigned>(r), lane);
    fetch(part + 2u, (part + 2u) % 3_c);
    return ready.commit();
  });
  (void)rest.wait();
  for (int r = 0; r < 4; ++r) y(lane + static_cast<unsigned>(32 * r)) = sum(r);
});

}  // namespace

TEST_CASE("a ring of three stages carries every tile") {
  std::vector<float> x(128 * parts), y(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
  const std::string ptx = tg::lower(ring).ptx;
  CHECK(ptx.find("ld.shared") != std::string::npos);
  CHECK(ptx.find("ld.global") == std::string::npos);
  accuracy::run(ptx, x.data(), x.size() * 4, y.data(), 512, 32 * parts);
  for (std::size_t i = 0; i < 128; ++i) {
    float sum = 0;
    for (std::size_t part = 0; part < parts; ++part) sum += x[128 * part + i];
    CHECK(y[i] == sum);
  }
}

TEST_CASE("matrices are loaded from a stage that has landed") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto ring = tg::stages<unsigned, 2>(tg::shape<32, 4>);
    tg::async_groups start;
    auto one = start.commit();
    auto ready = one.wait();
    (void)tg::load_matrix<4>(ring.read(ready, 1_c), block.thread.x, 0_c);
    ring.fill(0_c)(block.thread.x, 0_c, tg::allow<tg::TG201>("counted")) = 1u;
  });
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[0].shared.good);
  CHECK(r.accesses[1].is_write);
  CHECK(r.module.variables.at(0).count == 1024);
}
