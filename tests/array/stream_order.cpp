#include <tg/array/stream_order.hpp>

#include <string>
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
  tg::driver::stream_handle theirs = nullptr;
  context->call(context->api().cuStreamCreate, &theirs, tg::driver::stream_flag::non_blocking);
  tg::detail::order_streams(*context, nullptr, theirs);
  CHECK(seen == std::vector<char>{'r', 'w', 'd'});
  CHECK(recorded == nullptr);
  CHECK(waiting == theirs);
  tg::detail::order_streams(*context, theirs, nullptr);
  CHECK(recorded == theirs);
  CHECK(waiting == nullptr);
  context->release(context->api().cuStreamDestroy, theirs);
}

TEST_CASE("a stream that somebody captures is refused, and their capture goes on: TG533") {
  const auto context = tg::runtime::context::open({&tg::emulator::driver_table(), 0});
  const auto& api = context->api();
  tg::driver::stream_handle theirs = nullptr;
  context->call(api.cuStreamCreate, &theirs, tg::driver::stream_flag::non_blocking);
  context->call(api.cuStreamBeginCapture, theirs, tg::driver::capture_mode::relaxed);
  int refused = 0;
  for (const bool is_later : {false, true}) try {
      tg::detail::order_streams(*context, is_later ? nullptr : theirs, is_later ? theirs : nullptr);
    } catch (const tg::error& e) {
      CHECK(e.number() == 533);
      CHECK(std::string(e.what()).find("a stream that is captured and the legacy default stream cannot wait") !=
            std::string::npos);
      ++refused;
    }
  CHECK(refused == 2);
  tg::driver::graph_handle graph = nullptr;
  CHECK(context->attempt(api.cuStreamEndCapture, theirs, &graph) == tg::driver::result::success);
  if (graph != nullptr) context->release(api.cuGraphDestroy, graph);
  tg::detail::order_streams(*context, nullptr, theirs);
  tg::detail::order_streams(*context, theirs, nullptr);
  context->release(api.cuStreamDestroy, theirs);
}
