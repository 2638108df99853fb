#include <tg/emulator/libcuda/per_thread.hpp>

#include <doctest/doctest.h>

using tg::driver::stream_handle;

namespace {

std::uintptr_t got = 99;
tg::driver::result note_stream(int number, stream_handle stream) {
  got = reinterpret_cast<std::uintptr_t>(stream) + static_cast<std::uintptr_t>(number);
  return tg::driver::result::not_ready;
}

}  // namespace

TEST_CASE("stream 0 becomes the thread's own, another stays what it is") {
  const auto call = &tg::emulator::libcuda::per_thread<&note_stream>::call;
  CHECK(call(0, nullptr) == tg::driver::result::not_ready);
  CHECK(got == 2);
  call(0, reinterpret_cast<stream_handle>(std::uintptr_t{0x1230}));
  CHECK(got == 0x1230);
}
