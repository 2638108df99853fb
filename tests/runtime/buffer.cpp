#include <tg/runtime/buffer.hpp>

#include <array>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::result;

namespace {

/// 0 on a GPU, which other processes share.
std::size_t free_bytes(const tg::device& gpu) { return gpu.is_emulated() ? gpu.memory_info().free_bytes : 0; }

}  // namespace

TEST_CASE("what is uploaded comes back, whole and in parts") {
  tg::device gpu;
  const std::vector<int> in{1, 2, 3, 4, 5};
  auto b = gpu.upload(in);
  CHECK(b.size() == 5);
  CHECK(b.size_bytes() == 20);
  CHECK(b.native() != 0);
  CHECK(b.to_host() == in);
  b.copy_from(std::array{7, 8}, 3);
  std::array<int, 3> out{};
  b.copy_to(out, 2);
  CHECK(out == std::array{3, 7, 8});
  auto other = gpu.zeros<int>(5);
  CHECK(other.to_host() == std::vector<int>(5, 0));
  other.copy_from(b);
  CHECK(other.to_host() == std::vector<int>{1, 2, 3, 7, 8});
  other.zero();
  CHECK(other.to_host() == std::vector<int>(5, 0));
}

TEST_CASE("a copy past the end is refused and changes nothing") {
  tg::device gpu;
  auto b = gpu.upload(std::vector<float>{1, 2, 3});
  std::vector<float> host(4);
  const auto past = error_of([&] { b.copy_from(host); });
  CHECK(past.number == 528);
  CHECK(past.says("4 elements from element 0 on; the buffer has 3"));
  CHECK(error_of([&] { b.copy_to(std::span(host).first(1), 3); }).number == 528);
  CHECK(error_of([&] { b.copy_to(std::span(host).first(2), ~std::size_t{0}); }).number == 528);
  CHECK(error_of([&] { b.part(2, 2); }).number == 528);
  CHECK(error_of([&] { b.part(1, ~std::size_t{0}); }).number == 528);
  CHECK(error_of([&] { b.copy_from(gpu.zeros<float>(2), 2); }).number == 528);
  CHECK(b.to_host() == std::vector<float>{1, 2, 3});
  b.copy_to(std::span(host).first(0), 3);
  CHECK(b.part(3, 0).size() == 0);
}

TEST_CASE("memory is freed once, by whoever owns it last") {
  tg::device gpu;
  const std::size_t before = free_bytes(gpu);
  {
    auto a = gpu.allocate<double>(1000);
    if (gpu.is_emulated()) CHECK(free_bytes(gpu) < before);
    const auto address = a.native();
    auto b = std::move(a);
    CHECK(a.empty());
    CHECK(a.native() == 0);
    CHECK(b.native() == address);
    b = gpu.allocate<double>(10);
    auto& same = b;
    b = std::move(same);
    CHECK(b.size() == 10);
    tg::buffer<double> none;
    CHECK(none.empty());
    CHECK(none.to_host().empty());
  }
  CHECK(free_bytes(gpu) == before);
}

TEST_CASE("a buffer keeps its device alive") {
  tg::buffer<int> kept;
  {
    auto api = std::make_unique<tg::device>("emulator");
    kept = api->upload(std::vector<int>{4});
  }
  CHECK(kept.to_host() == std::vector<int>{4});
}

TEST_CASE("an empty buffer needs no memory") {
  tg::device gpu;
  auto b = gpu.upload(std::vector<int>{});
  CHECK(b.empty());
  CHECK(b.native() == 0);
  CHECK(b.to_host().empty());
  b.zero();
}

TEST_CASE("sizes that no memory has are refused before the driver sees them") {
  tg::device gpu;
  const auto wrapped = error_of([&] { gpu.allocate<double>(~std::size_t{0} / 4); });
  CHECK(wrapped.number == 529);
  CHECK(wrapped.says("8 bytes"));
  CHECK(error_of([&] { gpu.allocate<char>(static_cast<std::size_t>(-1)); }).number == 529);
  CHECK(error_of([&] { gpu.allocate<char>(gpu.memory_info().total_bytes + 1); }).number == 504);
  CHECK(gpu.upload(std::vector<int>{1}).to_host() == std::vector<int>{1});
}

TEST_CASE("buffers of two devices do not mix") {
  auto api = hand_written::emulator_table();
  tg::device one("emulator"), other(tg::runtime::machine{&api});
  auto a = one.zeros<int>(4), b = other.zeros<int>(4);
  CHECK(error_of([&] { a.copy_from(b); }).number == 524);
}

TEST_CASE("a failing driver is reported and leaks nothing") {
  auto api = hand_written::gpu_table();
  api.cuMemcpyHtoD = [](tg::driver::device_address, const void*, std::size_t) { return result::invalid_value; };
  api.cuMemsetD8 = [](tg::driver::device_address, unsigned char, std::size_t) { return result::not_supported; };
  tg::device gpu(tg::runtime::machine{&api});
  const std::size_t before = free_bytes(gpu);
  CHECK(error_of([&] { gpu.upload(std::vector<int>{1}); }).number == 500);
  CHECK(error_of([&] { gpu.zeros<int>(1); }).says("CUDA_ERROR_NOT_SUPPORTED"));
  CHECK(free_bytes(gpu) == before);
}
