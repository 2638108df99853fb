#include <tg/runtime/device.hpp>

#include <deque>
#include <list>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include <range/v3/view/iota.hpp>
#include <range/v3/view/istream.hpp>
#include <range/v3/view/transform.hpp>
#include <range/v3/view/zip_with.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/value/let.hpp>

#include "hand_written.hpp"

using hand_written::any;
using hand_written::error_of;
using hand_written::number_rows;
using hand_written::saxpy;
using tg::driver::result;

namespace {

std::vector<float> ramp(std::size_t n) {
  std::vector<float> out(n);
  std::iota(out.begin(), out.end(), 0.0f);
  return out;
}

}  // namespace

TEST_CASE("any range that can be read once is uploaded, and buffers become any container") {
  tg::device gpu;
  const std::vector<int> from_zero{0, 1, 4, 9, 16};
  const auto squares = ranges::views::iota(0, 5) | ranges::views::transform([](int k) { return k * k; });
  CHECK(gpu.upload(squares).to_host() == from_zero);
  CHECK(gpu.upload(ranges::views::iota(0, 5) | ranges::views::transform([](int k) { return k * k; })).to_host() == from_zero);
  const std::list numbers{0, 1, 2, 3, 4};
  CHECK(gpu.upload(ranges::views::zip_with([](int a, int b) { return a * b; }, numbers, numbers)).to_host() == from_zero);
  std::istringstream text("0 1 4 9 16");
  CHECK(gpu.upload(ranges::istream<int>(text)).to_host() == from_zero);
  CHECK(gpu.upload(std::list{0, 1, 4, 9, 16}).to_host() == from_zero);
  const int plain[] = {0, 1, 4, 9, 16};
  CHECK(gpu.upload(plain).to_host() == from_zero);
  CHECK(gpu.upload(std::list<int>{}).empty());

  const auto x = gpu.upload(squares);
  CHECK(x.to<std::vector>() == from_zero);
  CHECK(x.to<std::deque>() == std::deque{0, 1, 4, 9, 16});
  CHECK(x.to<std::vector<double>>() == std::vector{0.0, 1.0, 4.0, 9.0, 16.0});
  CHECK(x.to<std::set<int>>().contains(9));
}

TEST_CASE("saxpy for sizes around the block") {
  tg::device gpu;
  for (const std::size_t n : {1u, 255u, 256u, 257u, 512u, 1009u}) {
    CAPTURE(n);
    const auto hx = ramp(n);
    const auto x = gpu.upload(hx);
    auto y = gpu.upload(std::vector<float>(n, 1.0f));
    gpu.launch(saxpy{}, tg::cover(n), x, y, 2.0f, n);
    const auto out = y.to_host();
    for (std::size_t i = 0; i < n; ++i) REQUIRE(out[i] == 2.0f * hx[i] + 1.0f);
  }
  gpu.synchronize();
}

TEST_CASE("kernels written in C++ run, with what they capture") {
  static constexpr auto axpy = tg::kernel<"axpy">(
      tg::block<128>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
        auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
      });
  const auto add = [](float what) {
    return tg::kernel<"add">(tg::block<128>, [what](auto block, tg::inout<float> y, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = y(i) + what; });
    });
  };
  tg::device gpu;
  const auto hx = ramp(1000);
  const auto x = gpu.upload(hx);
  auto y = gpu.zeros<float>(1000);
  gpu.launch(axpy, tg::cover(1000), x, y, 3.0f, 1000);
  gpu.launch(add(1), tg::cover(1000), y, 1000);
  gpu.launch(add(2), tg::cover(1000), y, 1000);
  const auto out = y.to_host();
  for (std::size_t i = 0; i < 1000; ++i) REQUIRE(out[i] == 3.0f * hx[i] + 3.0f);
  const auto& compiled = gpu.compile(axpy);
  CHECK(compiled.ptx == tg::to_ptx(axpy));
  CHECK(compiled.make_us > 0);
}

TEST_CASE("matrices and bool scalars arrive") {
  tg::device gpu;
  auto a = gpu.zeros<unsigned>(5 * 8);
  gpu.launch(number_rows{}, tg::grid(1), tg::matrix(a, 5, 6, 8), false, 5);
  CHECK(a.to_host() == std::vector<unsigned>(40, 0));
  gpu.launch(number_rows{}, tg::grid(1), tg::matrix(a, 5, 6, 8), true, 5);
  std::vector<unsigned> expected(40, 0);
  for (unsigned i = 0; i < 5; ++i) expected[8 * i] = i;
  CHECK(a.to_host() == expected);
}

TEST_CASE("a kernel is compiled once per device") {
  tg::device gpu;
  const auto& first = gpu.compile(saxpy{});
  CHECK(&gpu.compile(saxpy{}) == &first);
  CHECK(&tg::device(gpu).compile(saxpy{}) == &first);
  CHECK(first.name == "saxpy");
  CHECK(first.make_us >= 0);

  auto table = hand_written::emulator_table();
  tg::device other(tg::runtime::machine{&table});
  CHECK(&other.compile(saxpy{}) != &first);
}

TEST_CASE("a kernel with state is traced each time and loaded once per text") {
  tg::device gpu("emulator");
  hand_written::traced = 0;
  const any one{.body = hand_written::empty_entry}, other{.body = std::string(hand_written::empty_entry) + "\n"};
  const auto& first = gpu.compile(one);
  CHECK(&gpu.compile(one) == &first);
  CHECK(&gpu.compile(other) != &first);
  CHECK(hand_written::traced == 3);
  gpu.launch(one, tg::grid(2, 3, 4));
}

TEST_CASE("a device that was moved from is still the device") {
  tg::device gpu("emulator");
  auto x = gpu.upload(ramp(64)), y = gpu.zeros<float>(64);
  const tg::device taken = std::move(gpu);
  CHECK(gpu.context() == taken.context());
  gpu.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
  gpu.synchronize();
  CHECK(y.to_host()[63] == 126.0f);
  tg::device assigned("emulator");
  assigned = std::move(gpu);
  CHECK(gpu.name() == assigned.name());
}

TEST_CASE("threads that launch at once compile once and lose nothing") {
  tg::device gpu("emulator");
  std::vector<std::thread> threads;
  std::vector<const tg::runtime::compiled_kernel*> seen(4);
  std::vector<std::vector<float>> out(4);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto x = gpu.upload(ramp(300));
      auto y = gpu.zeros<float>(300);
      for (int i = 0; i < 20; ++i) gpu.launch(saxpy{}, tg::cover(300), x, y, 1.0f, 300);
      seen[t] = &gpu.compile(saxpy{});
      out[t] = y.to_host();
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t t = 0; t < 4; ++t) {
    CHECK(seen[t] == seen[0]);
    CHECK(out[t][299] == 20.0f * 299);
  }
}

TEST_CASE("wrong arguments are found before anything runs") {
  tg::device gpu("emulator");
  auto x = gpu.upload(ramp(64)), y = gpu.zeros<float>(64);
  CHECK(error_of([&] { gpu.launch(saxpy{}, tg::cover(0), x, y, 1.0f, 0); }).number == 521);
  CHECK(error_of([&] { gpu.launch(saxpy{}, tg::cover(64), x, x, 1.0f, 64); }).number == 531);
  CHECK(error_of([&] { gpu.launch(saxpy{}, tg::cover(64), x, y, 1.0f, -1); }).number == 527);
  auto moved = std::move(x);
  CHECK(error_of([&] { gpu.launch(saxpy{}, tg::cover(64), x, y, 1.0f, 64); }).number == 523);
  CHECK(y.to_host() == std::vector<float>(64, 0.0f));
}

TEST_CASE("a kernel that leaves its buffers is reported in the emulator's words, and the device lives on") {
  tg::device gpu("emulator");
  auto x = gpu.upload(ramp(64)), y = gpu.zeros<float>(64);
  const auto astray = error_of([&] {
    gpu.launch(saxpy{}, tg::cover(100000), x, y, 1.0f, 100000);
    gpu.synchronize();
  });
  CHECK(astray.number >= 402);
  CHECK(astray.number < 420);
  CHECK(astray.says("saxpy"));
  gpu.launch(saxpy{}, tg::cover(64), x, y, 1.0f, 64);
  CHECK(y.to_host()[63] == 63.0f);
}

TEST_CASE("memory information and limits are the driver's") {
  tg::device gpu;
  CHECK(gpu.memory_info().free_bytes <= gpu.memory_info().total_bytes);
  CHECK(gpu.limits().block_threads >= 1024);
  CHECK_FALSE(gpu.name().empty());
  CHECK(gpu.native() != nullptr);
  CHECK(tg::device("emulator").is_emulated());
  CHECK(gpu.uuid().starts_with("GPU-"));
  CHECK(gpu.uuid().size() == 40);
  CHECK(gpu.bus_id().size() == 12);
  CHECK(gpu.attribute(tg::driver::device_attribute::warp_size) == 32);
  const std::size_t stack = gpu.limit(tg::driver::limit::stack_size);
  gpu.set_limit(tg::driver::limit::stack_size, stack + 1024);
  CHECK(gpu.limit(tg::driver::limit::stack_size) >= stack + 1024);
  gpu.set_limit(tg::driver::limit::stack_size, stack);
}

TEST_CASE("a device without a driver says what is missing") {
  auto api = hand_written::gpu_table();
  api.cuInit = [](unsigned) { return result::no_device; };
  const auto none = error_of([&] { tg::device gpu(tg::runtime::machine{&api}); });
  CHECK(none.number == 503);
  CHECK(none.says("cuInit(flags = 0): CUDA_ERROR_NO_DEVICE"));
  api.cuInit = nullptr;
  CHECK(error_of([&] { tg::device gpu(tg::runtime::machine{&api}); }).number == 502);
}
