#include <tg/array/stream_order.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <tg/emulator/driver_table/driver_table.hpp>

TEST_CASE("the later stream waits for an event that the earlier one records, and the event is given back") {
  static std::vector<char> seen;
  static tg::driver::table api;
  static tg::driver::stream_handle recorded, waiting;
  api = tg::emulator::driver_table();
  api.cuEventRecord = [](tg::driver::event_handle, tg::driver::stream_handle s) {
    seen.push_back('r');
    recorded = s;
    return tg::driver::result::success;
  };
  api.cuStreamWaitEvent = [](tg::driver::stream_handle s, tg::driver::event_handle, unsigned) {
    seen.push_back('w');
    waiting = s;
    return tg::driver::result::success;
  };
  api.cuEventDestroy = [](tg::driver::event_handle) {
    seen.push_back('d');
    return tg::driver::result::success;
  };
  const auto context = tg::runtime::context::open({&api, 0});
  int mark = 0;
  const auto theirs = reinterpret_cast<tg::driver::stream_handle>(&mark);
  tg::detail::order_streams(*context, nullptr, theirs);
  CHECK(seen == std::vector<char>{'r', 'w', 'd'});
  CHECK(recorded == nullptr);
  CHECK(waiting == theirs);
  tg::detail::order_streams(*context, theirs, nullptr);
  CHECK(recorded == theirs);
  CHECK(waiting == nullptr);
}
