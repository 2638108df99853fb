#include <tg/emulator/libcuda/library.hpp>

#include <doctest/doctest.h>

extern "C" {
tg::driver::result cuDriverGetVersion(int* version);
tg::driver::result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags, int* status);
}

TEST_CASE("an exported name jumps to its function, with its arguments") {
  int version = 0;
  CHECK(cuDriverGetVersion(&version) == tg::driver::result::success);
  CHECK(version == tg::emulator::entry::driver_version);
  void* found = nullptr;
  int status = -1;
  CHECK(cuGetProcAddress_v2("cuDriverGetVersion", &found, 13000, 0, &status) == tg::driver::result::success);
  CHECK(found == reinterpret_cast<void*>(&tg::emulator::entry::cuDriverGetVersion));
  CHECK(status == 0);
}
