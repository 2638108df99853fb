#include <tg/emulator/driver_table/copy.hpp>

#include <numeric>

#include <tg/emulator/driver_table/memory.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("a rectangle is copied row by row, from inside one memory to inside another") {
  const driver_session::context c;
  const driver_session::words w(64);
  std::vector<unsigned> host(48);
  std::iota(host.begin(), host.end(), 100u);
  copy_2d copy{};
  copy.from = {8, 1, memory_type::host, host.data(), 0, nullptr, 32};
  copy.to = {4, 2, memory_type::device, nullptr, w.address, nullptr, 64};
  copy.width_bytes = 12;
  copy.height = 2;
  CHECK(cuMemcpy2D(&copy) == result::success);
  const auto out = w.read();
  CHECK(out[33] == 110);
  CHECK(out[35] == 112);
  CHECK(out[49] == 118);
  CHECK(out[32] == 0);
  CHECK(out[36] == 0);
  copy.height = 3;
  CHECK(cuMemcpy2D(&copy) == result::invalid_value);  // past the end
  copy.height = 2;
  copy.to.type = memory_type::array;
  CHECK(cuMemcpy2D(&copy) == result::not_supported);
  CHECK(cuMemcpy2D(nullptr) == result::invalid_value);
}

TEST_CASE("a box is copied, and addresses of both sides go into one call") {
  const driver_session::context c;
  const driver_session::words w(27), all(27);
  std::vector<unsigned> host(27);
  std::iota(host.begin(), host.end(), 0u);
  CHECK(cuMemcpy(w.address, reinterpret_cast<std::uint64_t>(host.data()), 108) == result::success);
  copy_3d copy{};
  copy.from = {4, 1, 1, 0, memory_type::device, nullptr, w.address, nullptr, nullptr, 12, 3};
  copy.to = {0, 0, 0, 0, memory_type::unified, nullptr, all.address, nullptr, nullptr, 8, 2};
  copy.width_bytes = 8;
  copy.height = copy.depth = 2;
  CHECK(cuMemcpy3D(&copy) == result::success);
  const auto out = all.read();
  CHECK(std::vector(out.begin(), out.begin() + 9) == std::vector<unsigned>{13, 14, 16, 17, 22, 23, 25, 26, 0});
  CHECK(cuMemcpy(reinterpret_cast<std::uint64_t>(host.data()), all.address, 36) == result::success);
  CHECK(host[7] == 26);
  CHECK(cuMemcpyPeer(w.address, c.handle, all.address, c.handle, 108) == result::success);
  CHECK(w.read() == out);
}

TEST_CASE("several copies in one call stop at the first wrong one") {
  const driver_session::context c;
  const driver_session::words a(4), b(4);
  CHECK(cuMemsetD32(a.address, 5, 4) == result::success);
  tg::driver::stream_handle s = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  const device_address to[] = {b.address, b.address + 8}, from[] = {a.address, a.address};
  std::size_t bytes[] = {4, 4}, failed = 0;
  CHECK(cuMemcpyBatchAsync(to, from, bytes, 2, nullptr, nullptr, 0, &failed, s) == result::success);
  CHECK(b.read() == std::vector<unsigned>{5, 0, 5, 0});
  bytes[1] = 400;
  CHECK(cuMemcpyBatchAsync(to, from, bytes, 2, nullptr, nullptr, 0, &failed, s) == result::invalid_value);
  CHECK(api().cuStreamDestroy(s) == result::success);
}

TEST_CASE("rows are filled with bytes, halves and words") {
  const driver_session::context c;
  const driver_session::words w(16);
  CHECK(cuMemsetD2D8(w.address, 16, 1, 4, 2) == result::success);
  CHECK(cuMemsetD2D16(w.address + 8, 16, 2, 2, 2) == result::success);
  CHECK(cuMemsetD2D32(w.address + 32, 16, 3, 4, 2) == result::success);
  CHECK(w.read() == std::vector<unsigned>{0x01010101, 0, 0x20002, 0, 0x01010101, 0, 0x20002, 0, 3, 3, 3, 3, 3, 3, 3, 3});
  CHECK(cuMemsetD2D32(w.address, 8, 3, 4, 2) == result::invalid_value);  // rows overlap
  CHECK(cuMemsetD16(w.address + 1, 3, 4) == result::invalid_value);
  CHECK(cuMemsetD16(w.address, 3, 33) == result::invalid_value);
}

TEST_CASE("copies between devices: plain memory by any stream, memory of a pool where the stream's context is current") {
  const driver_session::context c;
  const driver_session::second_device second;
  const driver_session::words w(16);
  device_address pooled = 0;
  REQUIRE(api().cuMemAllocAsync(&pooled, 64, nullptr) == result::success);
  REQUIRE(api().cuMemsetD32(pooled, 7, 16) == result::success);
  stream_handle there = nullptr;
  device_address far = 0;
  {
    const driver_session::currently other(second.handle);
    REQUIRE(api().cuStreamCreate(&there, stream_flag::non_blocking) == result::success);
    REQUIRE(api().cuMemAlloc(&far, 64) == result::success);
    CHECK(api().cuMemcpyDtoDAsync(far, pooled, 64, there) == result::success);
    CHECK(api().cuStreamSynchronize(there) == result::success);
  }
  CHECK(api().cuMemcpyDtoDAsync(far, pooled, 64, there) == result::invalid_context);
  CHECK(api().cuMemcpyDtoDAsync(pooled, far, 64, there) == result::invalid_context);
  CHECK(cuMemcpyPeerAsync(far, second.handle, pooled, c.handle, 64, there) == result::success);
  CHECK(api().cuMemcpyDtoDAsync(w.address, far, 64, there) == result::success);  // without access of peers
  CHECK(w.read() == std::vector<unsigned>(16, 7));
  CHECK(cuMemcpyPeer(w.address, second.handle, far, second.handle, 64) == result::invalid_value);
  CHECK(cuMemcpyPeer(w.address, c.handle, far, c.handle, 64) == result::invalid_value);
  CHECK(cuMemcpyPeer(w.address, c.handle, far, second.handle, 64) == result::success);
  CHECK(api().cuStreamDestroy(there) == result::success);
  CHECK(api().cuMemFreeAsync(pooled, nullptr) == result::success);
  const driver_session::currently other(second.handle);
  CHECK(api().cuMemFree(far) == result::success);
}
