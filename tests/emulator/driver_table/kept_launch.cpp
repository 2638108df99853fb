#include <tg/emulator/driver_table/kept_launch.hpp>

#include <vector>

#include "session.hpp"

using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("a kernel is launched with the shape and the parameters that were set before") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(100);
  const function_handle add = m.find("add");
  tg::driver::device_address address = w.address;
  REQUIRE(cuFuncSetBlockShape(add, 64, 1, 1) == result::success);
  REQUIRE(cuFuncSetSharedSize(add, 256) == result::success);
  REQUIRE(cuParamSetSize(add, 16) == result::success);
  REQUIRE(cuParamSetv(add, 0, &address, sizeof address) == result::success);
  REQUIRE(cuParamSeti(add, 8, 7) == result::success);
  REQUIRE(cuParamSeti(add, 12, 100) == result::success);
  CHECK(cuLaunch(add) == result::success);
  CHECK(w.read()[63] == 7);
  CHECK(w.read()[64] == 0);
  CHECK(cuLaunchGrid(add, 2, 1) == result::success);
  CHECK(w.read()[63] == 14);
  CHECK(w.read()[99] == 7);
  CHECK(cuParamSetf(add, 8, 1.0f) == result::success);
  CHECK(cuLaunchGridAsync(add, 2, 1, nullptr) == result::success);
  CHECK(w.read()[99] == 0x3f800000u + 7);
}

TEST_CASE("parameters may be set before their size") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(4);
  const function_handle put = m.find("put");
  tg::driver::device_address address = w.address;
  REQUIRE(cuFuncSetBlockShape(put, 4, 1, 1) == result::success);
  REQUIRE(cuParamSeti(put, 12, 4) == result::success);
  REQUIRE(cuParamSeti(put, 8, 3) == result::success);
  REQUIRE(cuParamSetv(put, 0, &address, sizeof address) == result::success);
  REQUIRE(cuParamSetSize(put, 16) == result::success);
  CHECK(cuLaunch(put) == result::success);
  CHECK(w.read() == std::vector<unsigned>(4, 3));
}

TEST_CASE("a launch lacks what was not set, and values out of range are refused") {
  const driver_session::context c;
  const driver_session::module m;
  const function_handle put = m.find("put");
  unsigned word = 0;
  CHECK(cuLaunch(put) == result::invalid_value);  // no block shape
  CHECK(cuFuncSetBlockShape(put, 32, 0, 1) == result::invalid_value);
  CHECK(cuFuncSetBlockShape(put, 32, 1, 1) == result::success);
  CHECK(cuLaunch(put) == result::invalid_value);  // no parameters
  CHECK(cuParamSetSize(put, 12) == result::success);
  CHECK(cuLaunch(put) == result::invalid_value);  // of 16 bytes 12
  CHECK(cuParamSetSize(put, 1u << 20) == result::invalid_value);
  CHECK(cuParamSetv(put, -4, &word, 4) == result::invalid_value);
  CHECK(cuParamSetv(put, 32764, &word, 4) == result::invalid_value);
  CHECK(cuParamSetv(put, 0, nullptr, 4) == result::invalid_value);
  CHECK(cuLaunchGrid(put, 0, 1) == result::invalid_value);
  CHECK(cuFuncSetBlockShape(nullptr, 32, 1, 1) == result::invalid_handle);
  CHECK(cuFuncSetSharedSize(put, 1u << 20) == result::success);
  CHECK(cuParamSetSize(put, 16) == result::success);
  CHECK(cuLaunch(put) == result::invalid_value);  // more shared memory than a block can have
}
