#include <tg/runtime/context_observer.hpp>

#include <utility>
#include <vector>

#include <tg/runtime/context.hpp>
#include <tg/runtime/peer.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

namespace {

struct listener final : tg::runtime::context_observer {
  void set_user(tg::driver::device_id device, bool may) override { users.emplace_back(device, may); }
  void stream_ends(tg::driver::stream_handle stream) noexcept override { ended.push_back(stream); }
  std::size_t give_back_free() noexcept override { return ++asked, 0; }
  std::vector<std::pair<int, bool>> users;
  std::vector<tg::driver::stream_handle> ended;
  int asked = 0;
};

}  // namespace

TEST_CASE("an observer is told of each device that may use the memory, once, and no more when it is removed") {
  tg::emulator::show_devices(2);
  {
    const tg::device a("emulator"), b("emulator:1");
    listener first, second;
    b.context()->add_observer(first);
    {
      const tg::peer_access one(a, b), two(a, b);
      b.context()->add_observer(second);
    }
    b.context()->remove_observer(first);
    { const tg::peer_access three(a, b); }
    b.context()->remove_observer(second);
    CHECK(first.users == std::vector<std::pair<int, bool>>{{0, true}, {0, false}});
    CHECK(second.users == std::vector<std::pair<int, bool>>{{0, true}, {0, false}, {0, true}, {0, false}});
  }
  tg::emulator::show_devices(1);
}

TEST_CASE("an observer is told before a stream ends, and when memory is out") {
  auto api = hand_written::emulator_table();
  api.cuMemAlloc = [](tg::driver::device_address*, std::size_t) { return tg::driver::result::out_of_memory; };
  const tg::device gpu(tg::runtime::machine{&api});
  listener o;
  gpu.context()->add_observer(o);
  tg::driver::stream_handle handle = nullptr;
  {
    const tg::stream s(gpu);
    handle = s.native();
    CHECK(o.ended.empty());
  }
  CHECK(o.ended == std::vector{handle});
  CHECK(hand_written::error_of([&] { const tg::buffer<int> b(gpu.context(), 4); }).number == 504);
  CHECK(o.asked == 1);
  gpu.context()->remove_observer(o);
}
