#include <tg/runtime/stream_work.hpp>

#include <array>

#include <tg/runtime/managed.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("copies go between all kinds of memory") {
  const tg::device gpu("emulator");
  tg::stream_view work(gpu, nullptr);
  tg::buffer<int> a(gpu.context(), 6), b(gpu.context(), 6);
  tg::managed<int> both(gpu, 6);
  tg::pinned<int> host(gpu, 6);
  for (std::size_t i = 0; i < 6; ++i) host[i] = static_cast<int>(i);
  const std::array<int, 6> expected{0, 1, 2, 3, 4, 5};
  std::array<int, 6> out{};
  work.copy(a, host);
  work.copy(both, a);
  work.copy(b.part(0, 3), both.whole().sub(0, 3));
  work.copy(b.part(3, 3), std::as_const(a).part(3, 3));
  work.copy(out, b);
  CHECK(out == expected);
  work.copy(std::span(out).first(2), b.part(4, 2));
  CHECK(out[1] == 5);
  std::fill(host.begin(), host.end(), 9);
  work.copy(host, b);
  work.synchronize();
  CHECK(std::equal(host.begin(), host.end(), expected.begin()));
  int few[2] = {7, 8};
  work.copy(b.part(1, 2), few);
  CHECK(b.to_host() == std::vector<int>{0, 7, 8, 3, 4, 5});
  work.copy(b.part(0, 0), std::vector<int>{});
  CHECK(error_of([&] { work.copy(b.part(0, 2), both.whole().sub(5, 2)); }).number == 528);
}

TEST_CASE("a stream of another context is refused: TG524") {
  const tg::device gpu("emulator");
  const auto& api = gpu.context()->api();
  tg::driver::context_handle other = nullptr;
  REQUIRE(api.cuCtxCreate(&other, 0, 0) == tg::driver::result::success);
  tg::driver::stream_handle theirs = nullptr;
  REQUIRE(api.cuStreamCreate(&theirs, tg::driver::stream_flag::default_) == tg::driver::result::success);
  CHECK(error_of([&] { tg::stream_view(gpu, theirs); }).says("TG524: a stream is of another context"));
  CHECK(error_of([&] { tg::stream_view(gpu, reinterpret_cast<tg::driver::stream_handle>(0x77)); }).number == 510);
  api.cuStreamDestroy(theirs);
  api.cuCtxDestroy(other);
}

TEST_CASE("a function of the host is called once, after the work before it") {
  const tg::device gpu("emulator");
  tg::stream_view work(gpu, nullptr);
  auto token = std::make_shared<int>(0);
  work.call([token] { ++*token; });
  work.synchronize();
  CHECK(*token == 1);
  CHECK(token.use_count() == 1);
}

TEST_CASE("a call of the host that the driver refuses is not kept") {
  auto api = hand_written::gpu_table();
  api.cuLaunchHostFunc = [](tg::driver::stream_handle, tg::driver::host_function, void*) {
    return tg::driver::result::invalid_value;
  };
  const tg::device gpu(tg::runtime::machine{&api});
  tg::stream_view work(gpu, nullptr);
  auto token = std::make_shared<int>(0);
  CHECK(error_of([&] { work.call([token] {}); }).number == 500);
  CHECK(token.use_count() == 1);
}
