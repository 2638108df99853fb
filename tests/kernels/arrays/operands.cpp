#include <kernels/arrays/operands.hpp>

#include <numeric>

#include <tg/emulator/driver_table/driver_table.hpp>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
using tg::detail::dense_operand;

/// Two devices, while it lives.
struct more_devices {
  more_devices() { tg::emulator::show_devices(2); }
  ~more_devices() { tg::emulator::show_devices(1); }
};

}  // namespace

TEST_CASE("what is dense stays where it is; all else is copied") {
  tg::device gpu;
  std::vector<float> host(64);
  std::iota(host.begin(), host.end(), 0.0f);
  const tg::array<float, 2> x(gpu, {8, 8}, host);
  CHECK(dense_operand(x, {}).native() == x.native());
  const auto lower = x(tg::range(4, 8), tg::full_extent);
  CHECK(dense_operand(lower, {}).native() == lower.native());
  const auto columns = dense_operand(x(tg::full_extent, tg::range(4, 8)), {});
  CHECK(columns.is_dense());
  CHECK(columns.to_host() == tg::eval(x(tg::full_extent, tg::range(4, 8)) * 1.0f).to_host());
  CHECK(dense_operand(x.transpose(), {}).to_host() == tg::eval(tg::transpose(x) * 1.0f).to_host());
  CHECK(dense_operand(x + 1.0f, {}).to_host()[63] == 64);
  const auto line = x.reshape({64});
  const auto shifted = dense_operand(line(tg::range(1, 64)), {});
  CHECK(shifted.native() % 16 == 0);
  CHECK(shifted.to_host() == std::vector<float>(host.begin() + 1, host.end()));
}

TEST_CASE("a copy lives as long as its view") {
  tg::device gpu;
  const auto make = [&] {
    const tg::array<int, 1> x(gpu, std::vector<int>{1, 2, 3});
    return dense_operand(x * 2, {});
  };
  CHECK(make().to_host() == std::vector<int>{2, 4, 6});
}

TEST_CASE("arrays of two devices are refused") {
  const more_devices two;
  tg::device one("emulator"), other("emulator:1");
  const tg::array<float, 1> x(one, std::vector<float>(4)), y(one, std::vector<float>(4)), z(other, std::vector<float>(4));
  CHECK(code_of_error([&] { tg::detail::require_one_device(x, y, {}); }) == 0);
  CHECK(code_of_error([&] { tg::detail::require_one_device(x, z, {}); }) == 702);
}

TEST_CASE("arrays without memory, of other shapes and with too many elements are refused") {
  tg::device gpu;
  CHECK(code_of_error([] { dense_operand(tg::array<float, 1>(), {}); }) == 704);
  const tg::array_shape<2> a(2, 3), b(3, 2);
  CHECK(code_of_error([&] { tg::detail::require_equal_shapes(a, a, "two", {}); }) == 0);
  CHECK(code_of_error([&] { tg::detail::require_equal_shapes(a, b, "two", {}); }) == 700);
  CHECK(tg::detail::extent_below(7, 8, "elements", {}) == 7);
  CHECK(code_of_error([] { tg::detail::extent_below(8, 8, "elements", {}); }) == 705);
}
