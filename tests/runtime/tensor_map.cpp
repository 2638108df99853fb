#include <tg/runtime/tensor_map.hpp>

#include <array>
#include <cstring>
#include <vector>

#include <tg/dsl/bulk/tensor_copy.hpp>
#include <tg/runtime.hpp>

#include "hand_written.hpp"

using namespace tg::literals;
using hand_written::error_of;

namespace {

using map = tg::in_map<float, tg::shape<8, 32>>;

// y(row, column) = the box at (first, 0), its number of rows given behind the map.
constexpr auto first_rows = tg::kernel<"first_rows">(
    tg::block<32>, [](auto block, tg::scalar<unsigned> first, map x, tg::scalar<unsigned char> scale, tg::out2<float> y) {
      const auto tile = tg::shared<float>(tg::shape<8, 32>);
      auto full = tg::mbarriers<1>(block, 1);
      block.sync();
      auto phase = full.phase(0_c);
      tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::tensor_copy(tile, x(first, 0))); });
      (void)phase.wait();
      for (unsigned row = 0; row < 8; ++row) y(row, block.thread.x) = tile(row, block.thread.x) * tg::cast<float>(scale);
    });

std::vector<float> counted(std::size_t n) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(i);
  return out;
}

}  // namespace

TEST_CASE("a launch encodes the map of an array, or takes one that was encoded, between other parameters") {
  tg::device gpu("emulator");
  auto x = gpu.upload(counted(40 * 48));
  auto y = gpu.zeros<float>(8 * 32);
  const auto check = [&](std::size_t leading) {
    const auto got = y.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == static_cast<float>(((i / 32 + 5) * leading + i % 32) * 3));
  };
  gpu.launch(first_rows, tg::grid(1), 5u, tg::matrix(x, 40, 48), 3, tg::matrix(y, 8, 32));
  check(48);
  gpu.launch(first_rows, tg::grid(1), 5u, tg::matrix(x, 30, 40, 44), 3, tg::matrix(y, 8, 32));
  check(44);
  const auto encoded = tg::encode_map<map>(tg::matrix(x, 40, 48));
  gpu.launch(first_rows, tg::grid(1), 5u, encoded, 3, tg::matrix(y, 8, 32));
  check(48);
  const tg::prepared again(gpu, first_rows, tg::grid(1));
  again(5u, encoded, 3, tg::matrix(y, 8, 32));
  check(48);
}

TEST_CASE("arrays that no map has are refused with their numbers") {
  tg::device gpu("emulator");
  auto x = gpu.upload(counted(4096));
  const auto refused = [&](const auto& array) { return error_of([&] { (void)tg::encode_map<map>(array); }); };
  CHECK(refused(tg::matrix(x, 10, 40)).number == 0);
  const auto odd = refused(tg::matrix(x.part(1, 400), 10, 40));
  CHECK(odd.number == 575);
  CHECK(odd.says("no multiple of 16"));
  const auto rows = refused(tg::matrix(x, 10, 41));
  CHECK(rows.number == 576);
  CHECK(rows.says("a stride of 164 bytes in dimension 0: 41 elements"));
  CHECK(rows.says("which is 4 elements"));
  const auto empty = refused(tg::matrix(x, 0, 40));
  CHECK(empty.number == 577);
  CHECK(empty.says("0 elements in dimension 0"));
  auto y = gpu.zeros<float>(8 * 32);
  const auto launched =
      error_of([&] { gpu.launch(first_rows, tg::grid(1), 0u, tg::matrix(x, 10, 41), 1, tg::matrix(y, 8, 32)); });
  CHECK(launched.number == 576);
  CHECK(launched.says("launch of 'first_rows': argument 2"));
  const auto shared = error_of([&] { gpu.launch(first_rows, tg::grid(1), 0u, tg::matrix(y, 8, 32), 1, tg::matrix(y, 8, 32)); });
  CHECK(shared.number == 531);
}

TEST_CASE("the driver is told what the type of the map says") {
  static std::vector<std::uint64_t> told;
  auto api = hand_written::gpu_table();
  api.cuTensorMapEncodeTiled = [](tg::driver::tensor_map* out, int type, std::uint32_t rank, void* address,
                                  const std::uint64_t* extents, const std::uint64_t* strides, const std::uint32_t* box,
                                  const std::uint32_t* steps, int interleave, int swizzle, int promotion, int fill) {
    told = {static_cast<std::uint64_t>(type),
            rank,
            extents[0],
            extents[1],
            extents[2],
            strides[0],
            strides[1],
            box[0],
            box[1],
            box[2],
            steps[0],
            steps[1],
            steps[2],
            static_cast<std::uint64_t>(interleave),
            static_cast<std::uint64_t>(swizzle),
            static_cast<std::uint64_t>(promotion),
            static_cast<std::uint64_t>(fill)};
    (void)address;
    std::memset(out, 1, sizeof *out);
    return tg::driver::result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.allocate<float>(10 * 20 * 64);
  using own = tg::inout_map<float, tg::shape<2, 4, 8>, tg::swizzle<1, 2, 3>, tg::skip<1, 2>, tg::fill_nan, tg::promote<64>>;
  const auto made = tg::encode_map<own>(tg::mdspan(x, 10, 20, 64));
  CHECK(told == std::vector<std::uint64_t>{7, 3, 64, 20, 10, 256, 5120, 8, 7, 2, 1, 2, 1, 0, 1, 1, 1});
  CHECK(made.native().words[3] == 0x0101010101010101u);
}

TEST_CASE("kernels whose maps differ have other signatures") {
  const auto spelled = []<class P>(std::type_identity<P>) { return tg::runtime::spelling_of_parameter<P>(); };
  const auto plain = spelled(std::type_identity<map>{});
  CHECK(plain.find("tg::tensor_map<float, tg::mode::read") == 0);
  CHECK(plain != spelled(std::type_identity<tg::in_map<float, tg::shape<8, 16>>>{}));
  CHECK(plain != spelled(std::type_identity<tg::in_map<float, tg::shape<8, 32>, tg::fill_nan>>{}));
  CHECK(plain != spelled(std::type_identity<tg::out_map<float, tg::shape<8, 32>>>{}));
}
