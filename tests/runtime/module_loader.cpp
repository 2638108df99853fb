#include <tg/runtime/module_loader.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::capture_mode;
using tg::driver::result;
using namespace tg::runtime::detail;

TEST_CASE("the capture mode of a thread is relaxed and restored") {
  static capture_mode mode;
  mode = capture_mode::thread_local_;
  tg::driver::table api;
  {
    const relaxed_capture none(api);  // an old driver
  }
  api.cuThreadExchangeStreamCaptureMode = [](capture_mode* other) { return std::swap(*other, mode), result::success; };
  {
    const relaxed_capture relaxed(api);
    CHECK(mode == capture_mode::relaxed);
  }
  CHECK(mode == capture_mode::thread_local_);
  static int asked;
  asked = 0;
  api.cuThreadExchangeStreamCaptureMode = [](capture_mode*) { return ++asked, result::not_supported; };
  { const relaxed_capture refused(api); }
  CHECK(asked == 1);
}

TEST_CASE("the driver's build is read once") { CHECK(&driver_build() == &driver_build()); }

TEST_CASE("a target of 0 is the device's own") {
  require_options({}, 75, {});
  require_options({.target = 70}, 75, {});
  CHECK(error_of([] { require_options({.target = 80}, 75, {}); }).number == 550);
}

TEST_CASE("the last allowed characters are allowed") {
  require_text("k", ".version 7.0 // ~ \t\r\n", {});
  CHECK(error_of([] { require_text("k", "a\x7f", {}); }).number == 551);
}
