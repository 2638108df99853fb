#include <tg/dsl/kernel/kernel.hpp>

#include <string_view>
#include <type_traits>

#include "../recording.hpp"

namespace {

constexpr auto empty = tg::kernel<"empty">(tg::block<64>, [](auto, tg::in<float>, tg::scalar<int, tg::multiple_of<4>>) {});
using kernel = std::remove_const_t<decltype(empty)>;

}  // namespace

static_assert(std::string_view(kernel::name) == "empty" && kernel::block.threads == 64 && kernel::parameters::count == 2);
static_assert(std::is_same_v<kernel::parameters, tg::parameter_list<tg::in<float>, tg::scalar<int, tg::multiple_of<4>>>>);
static_assert(tg::is_kernel<kernel> && !tg::is_kernel<int>);
static_assert(tg::is_parameter<tg::out2<double>> && !tg::is_parameter<float> && !tg::is_parameter<tg::in<float>&>);
static_assert(tg::detail::is_block_shape<tg::block_t<1024>> && !tg::detail::is_block_shape<tg::block_t<1025>> &&
              !tg::detail::is_block_shape<tg::block_t<1, 1, 65>> && !tg::detail::is_block_shape<tg::block_t<64, 64>> &&
              !tg::detail::is_block_shape<tg::block_t<0>>);

TEST_CASE("a kernel knows the line it is written on") {
  const auto k = tg::kernel<"here">(tg::block<32>, [](auto) {});
  CHECK(k.where.line == __LINE__ - 1);
}

TEST_CASE("a kernel holds what its lambda captured") {
  const float factor = 3.0f;
  const auto k = tg::kernel<"scale">(tg::block<32>, [factor](auto block, tg::inout<float> x) { x(block.thread.x) *= factor; });
  const auto traced = tg::trace(k);
  bool found = false;
  for (const auto& i : traced.module.functions[0].body)
    found |= i.op == tg::ptx::opcode::mul && i[2] == tg::ptx::operand::f32(3.0f);
  CHECK(found);
}
