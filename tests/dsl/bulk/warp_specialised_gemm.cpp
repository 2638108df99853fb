// A product of matrices as Hopper wants it: a producer keeps a ring of stages filled by tensor copies, two warpgroups multiply.
#include <tg/dsl/bulk/bulk_ring.hpp>
#include <tg/dsl/bulk/tensor_copy.hpp>

#include "../word.hpp"

#include <tg/dsl/cluster/roles.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>
#include <tg/runtime.hpp>
#include <tg/runtime/tensor_map.hpp>

using namespace tg::literals;

namespace {

using tg::bf16;
using operand = tg::in_map<bf16, tg::shape<128, 64>, tg::swizzle<3, 3, 3>>;
constexpr int stages = 3;

// c = a b', a and b with their depth along rows.
constexpr auto gemm = tg::kernel<"gemm">(
    tg::block<384> | tg::min_blocks<1>, [](auto block, operand a, operand b, tg::out2<float> c, tg::scalar<unsigned> rows,
                                           tg::scalar<unsigned> columns, tg::scalar<unsigned> steps) {
      const auto ring = tg::bulk_ring<stages>(block, tg::consumer_warps<8>);
      const auto left = tg::stages<bf16, stages>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      const auto right = tg::stages<bf16, stages>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      block.sync();
      const auto top = block.index.y * 128_c;
      const auto first = block.index.x * 128_c;
      tg::roles(block, tg::warpgroup_role<2, 216>([&](auto consumer) {
                  const auto group = consumer.warpgroup();
                  tg::group_accumulator<64, 128, float> sum = 0.0f;
                  auto reads = ring.consumer();
                  tg::for_(tg::range(steps), [&](auto) {
                    const auto stage = reads.next();
                    const auto own = tg::k_major(left.read(stage)).part(64_c, group.index);
                    sum = tg::wgmma(std::move(sum), own, tg::k_major(right.read(stage))).wait();
                    stage.release(consumer.warp());
                  });
                  tg::unroll<64>([&](auto e) {
                    const auto at = sum.place_of(group.thread, e);
                    const auto row = top + group.index * 64_c + at.row;
                    const auto column = first + at.column;
                    tg::if_(row < rows && column < columns, [&] { c(row, column, tg::allow<tg::TG202>("a test")) = sum(e); });
                  });
                }),
                tg::warpgroup_role<1, 40>([&](auto producer) {
                  tg::if_(producer.thread == 0u, [&] {
                    a.prefetch();
                    b.prefetch();
                    auto fills = ring.producer();
                    tg::for_(tg::range(steps), [&](auto k) {
                      const auto stage = fills.next();
                      stage.fill(tg::tensor_copy(left.fill(stage.index), a(top, k * 64_c)),
                                 tg::tensor_copy(right.fill(stage.index), b(first, k * 64_c)));
                    });
                  });
                }));
    });

std::vector<bf16> random_matrix(std::size_t count) {
  static std::mt19937_64 random{random_seed()};
  std::vector<bf16> out(count);
  for (auto& x : out) x = bf16(static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-52 - 1));
  return out;
}

void check(std::size_t m, std::size_t n, std::size_t k) {
  const auto x = random_matrix(m * k), y = random_matrix(n * k);
  tg::device gpu;
  auto a = gpu.upload(x), b = gpu.upload(y);
  auto c = gpu.upload(std::vector<float>(m * n, 1e30f));
  const auto blocks_of = [](std::size_t extent) { return static_cast<unsigned>((extent + 127) / 128); };
  gpu.launch(gemm, tg::grid(blocks_of(n), blocks_of(m)), tg::matrix(a, m, k), tg::matrix(b, n, k), tg::matrix(c, m, n), m, n,
             (k + 63) / 64);
  const auto z = c.to_host();
  int wrong = 0;
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0, all = 0;
      for (std::size_t d = 0; d < k; ++d) {
        const double term = static_cast<double>(static_cast<float>(x[row * k + d])) *
                            static_cast<double>(static_cast<float>(y[column * k + d]));
        sum += term;
        all += std::fabs(term);
      }
      const double got = static_cast<double>(z[row * n + column]);
      if (!(std::fabs(got - sum) <= all * static_cast<double>(k + 1) * 0x1p-23) && wrong++ < 3) {
        CAPTURE(row);
        CAPTURE(column);
        CHECK(got == sum);
      }
    }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tensor copies feed wgmma through a ring, at sizes that fit the tiles and at edges") {
  const auto lowered = tg::lower(gemm);
  INFO(lowered.ptx);
  CHECK(lowered.module.sm == 90);
  CHECK(lowered.module.target_suffix == "a");
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  auto checked = tg::emulator::launch_options();
  const auto before = checked;
  checked.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(checked);
  check(128, 128, 64);
  check(128, 128, 64 * 7);
  check(1, 1, 8);
  check(129, 127, 72);
  check(61, 200, 320);
  tg::emulator::set_launch_options(before);
}
