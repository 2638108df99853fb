#include <tg/runtime/graph_parameters.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

TEST_CASE("a kernel node has the grid, block and arguments of a launch") {
  tg::device gpu("emulator");
  auto x = gpu.zeros<float>(300), y = gpu.zeros<float>(300);
  bool is_called = false;
  tg::runtime::with_kernel_parameters(
      gpu,
      [&](const tg::driver::kernel_node_parameters& p, const tg::runtime::launch_plan& plan) {
        is_called = true;
        CHECK(p.grid_x == 2);
        CHECK(p.block_x == 256);
        CHECK(p.function == gpu.compile(saxpy{}).function);
        CHECK(plan.attribute_count == 0);
        tg::driver::device_address first = 0;
        std::memcpy(&first, p.extra[1], sizeof first);
        CHECK(first == x.native());
      },
      saxpy{}, tg::cover(300), x, y, 1.0f, 300);
  CHECK(is_called);
  CHECK(error_of([&] {
          tg::runtime::with_kernel_parameters(gpu, [](auto&&...) {}, saxpy{}, tg::cover(0), x, y, 1.0f, 300);
        }).number == 521);
}

TEST_CASE("copies and fills name both ends") {
  tg::device gpu("emulator");
  tg::buffer<int> b(gpu.context(), 8);
  tg::pinned<int> host(gpu, 4);
  auto& c = *gpu.context();
  auto part = b.part(2, 4);
  const auto copy = tg::runtime::copy_parameters(c, part, host, {});
  CHECK(copy.width_bytes == 16);
  CHECK(copy.height == 1);
  CHECK(copy.from.pitch == 16);
  CHECK(copy.to.height == 1);
  CHECK(copy.to.device == b.native() + 8);
  CHECK(copy.from.host == host.data());
  CHECK(copy.to.type == tg::driver::memory_type::device);
  CHECK(copy.from.type == tg::driver::memory_type::host);
  CHECK(error_of([&] { tg::runtime::copy_parameters(c, b, host, {}); }).number == 528);

  const auto narrow = tg::runtime::set_parameters(c, b, tg::runtime::fill_units<int>(5), 0);
  CHECK(narrow.element_bytes == 4);
  CHECK(narrow.width == 8);
  CHECK(narrow.height == 1);
  tg::buffer<double> d(gpu.context(), 8);
  const auto second = tg::runtime::set_parameters(c, d, tg::runtime::fill_units<double>(5.0), 1);
  CHECK(second.to == d.native() + 4);
  CHECK(second.pitch == 8);
  CHECK(second.width == 1);
  CHECK(second.height == 8);
}
