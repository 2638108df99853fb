#include <tg/runtime/fill.hpp>

#include "hand_written.hpp"

TEST_CASE("elements are filled by the widest units they are made of") {
  static_assert(tg::runtime::fill_unit_bytes(1) == 1 && tg::runtime::fill_unit_bytes(2) == 2);
  static_assert(tg::runtime::fill_unit_bytes(3) == 1 && tg::runtime::fill_unit_bytes(6) == 2);
  static_assert(tg::runtime::fill_unit_bytes(12) == 4 && tg::runtime::fill_unit_bytes(16) == 4);
  const tg::runtime::fill_units<std::uint64_t> units(0x1122334455667788u);
  CHECK(units.values[0] == 0x55667788);
  CHECK(units.values[1] == 0x11223344);
}

TEST_CASE("a buffer is filled with a value of any size, and nothing beside it") {
  struct six {
    short a, b, c;
    bool operator==(const six&) const = default;
  };
  tg::device gpu;
  auto wide = gpu.zeros<double>(5);
  wide.fill(-1.25);
  CHECK(wide.to_host() == std::vector<double>(5, -1.25));
  tg::buffer<six> odd(gpu.context(), 7);
  odd.fill({1, 2, 3});
  CHECK(odd.to_host() == std::vector<six>(7, six{1, 2, 3}));
  tg::buffer<char> none(gpu.context(), 0);
  none.fill('x');
  CHECK(none.to_host().empty());
}

TEST_CASE("an element whose units are equal is filled in one call, as 0.0 and -1 are") {
  static int plain, strided;
  plain = strided = 0;
  auto api = hand_written::gpu_table();
  api.cuMemsetD32Async = [](tg::driver::device_address to, unsigned v, std::size_t n, tg::driver::stream_handle s) {
    return ++plain, tg::emulator::driver_table().cuMemsetD32Async(to, v, n, s);
  };
  api.cuMemsetD2D32Async = [](tg::driver::device_address to, std::size_t pitch, unsigned v, std::size_t w, std::size_t h,
                              tg::driver::stream_handle s) {
    return ++strided, tg::emulator::driver_table().cuMemsetD2D32Async(to, pitch, v, w, h, s);
  };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.upload(std::vector<double>(5, 1.0));
  x.fill(0.0);
  CHECK(plain == 1);
  CHECK(strided == 0);
  CHECK(x.to_host() == std::vector<double>(5, 0.0));
  x.fill(2.5);
  CHECK(plain == 1);
  CHECK(strided == 2);
  CHECK(x.to_host() == std::vector<double>(5, 2.5));
}
