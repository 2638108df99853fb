#include <tg/runtime/peer.hpp>

#include <set>

#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;
using hand_written::two_devices;

TEST_CASE("two devices are two: contexts, names, memory") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  CHECK(a.context() != b.context());
  CHECK(a.native() != b.native());
  CHECK(tg::device("emulator:0").context() == a.context());
  CHECK(a.uuid() != b.uuid());
  CHECK(a.uuid().size() == 40);
  CHECK(a.bus_id() == "0000:00:00.0");
  CHECK(b.bus_id() == "0000:01:00.0");
  CHECK(b.context()->label() == "tg emulator (device 1)");
  auto x = a.upload(std::vector<float>(8, 1.0f));
  auto y = b.zeros<float>(8);
  const auto foreign = error_of([&] { b.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8); });
  CHECK(foreign.number == 524);
  CHECK(foreign.says("'tg emulator', the launch is on 'tg emulator (device 1)'"));
  auto work = tg::stream(b).begin();
  CHECK(error_of([&] { work.zero(x); }).number == 524);
  const auto machines = tg::runtime::available_machines();
  const std::set<std::string> all(machines.begin(), machines.end());
  CHECK(all.contains("emulator:1"));
  CHECK_FALSE(all.contains("emulator:2"));
}

TEST_CASE("buffers of two devices are copied, plainly and on a stream of either") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  auto x = a.upload(std::vector<int>{1, 2, 3, 4});
  auto y = b.zeros<int>(4);
  y.copy_from(x);
  CHECK(y.to_host() == std::vector<int>{1, 2, 3, 4});
  y.copy_from(x.part(2, 2), 1);
  CHECK(y.to_host() == std::vector<int>{1, 3, 4, 4});
  auto of_a = tg::stream(a).begin(), of_b = tg::stream(b).begin();
  of_a.copy(y.part(0, 1), x.part(3, 1));
  std::move(of_a).submit().wait();
  of_b.copy(x.part(0, 1), y.part(1, 1));
  std::move(of_b).submit().wait();
  CHECK(y.to_host()[0] == 4);
  CHECK(x.to_host()[0] == 3);
  auto api = hand_written::emulator_table();
  tg::device far(tg::runtime::machine{&api});
  auto z = far.zeros<int>(4);
  CHECK(error_of([&] { z.copy_from(x); }).number == 524);
}

TEST_CASE("kernels use memory of another device while they may") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  CHECK(can_access_peer(a, b));
  CHECK_FALSE(can_access_peer(a, a));
  auto x = b.upload(std::vector<float>(8, 1.0f));
  b.synchronize();  // devices do not wait for each other
  auto y = a.zeros<float>(8);
  {
    const tg::peer_access allowed(a, b);
    const tg::peer_access again(a, b);
    tg::peer_access other_way(b, a);
    const tg::peer_access moved = std::move(other_way);
    a.launch(saxpy{}, tg::cover(8), x, y, 5.0f, 8);
    CHECK(y.to_host()[7] == 5.0f);
    CHECK(a.context()->attempt(a.context()->api().cuCtxEnablePeerAccess, b.native(), 0u) ==
          tg::driver::result::peer_access_already_enabled);
  }
  CHECK(error_of([&] { a.launch(saxpy{}, tg::cover(8), x, y, 5.0f, 8); }).number == 524);
  CHECK(a.context()->attempt(a.context()->api().cuCtxDisablePeerAccess, b.native()) ==
        tg::driver::result::peer_access_not_enabled);
}

TEST_CASE("a kernel that uses what another device was given before is a race unless somebody waits: TG429") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  const auto before = tg::emulator::launch_options();
  tg::emulator::set_launch_options({.check = {.race = true}});
  auto y = a.zeros<float>(8);
  const tg::peer_access allowed(a, b);
  for (const bool waits : {false, true}) {
    auto x = b.upload(std::vector<float>(8, 1.0f));
    if (waits) b.synchronize();
    const auto wrong = error_of([&] {
      a.launch(saxpy{}, tg::cover(8), x, y, 5.0f, 8);
      a.synchronize();
    });
    CHECK(wrong.number == (waits ? 0 : 429));
    if (waits) continue;
    CHECK(wrong.says("kernel 'saxpy' on the legacy default stream of device 0"));
    CHECK(wrong.says("copy of 32 bytes on the legacy default stream of device 1"));
  }
  tg::emulator::set_launch_options(before);
}

TEST_CASE("access that another library has enabled is used, and stays when tg's ends") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  auto& context = *a.context();
  auto x = b.upload(std::vector<float>(8, 1.0f));
  b.synchronize();
  REQUIRE(context.attempt(context.api().cuCtxEnablePeerAccess, b.native(), 0u) == tg::driver::result::success);
  { const tg::peer_access allowed(a, b); }
  auto y = a.zeros<float>(8);
  a.launch(saxpy{}, tg::cover(8), a.view(reinterpret_cast<float*>(x.native()), 8), y, 5.0f, 8);
  CHECK(y.to_host()[7] == 5.0f);
  CHECK(context.attempt(context.api().cuCtxDisablePeerAccess, b.native()) == tg::driver::result::success);
}

TEST_CASE("a kernel that reads memory of another device without access is stopped, and so of a pool: TG411") {
  const two_devices shown;
  tg::device a("emulator"), b("emulator:1");
  auto x = b.upload(std::vector<float>(8, 1.0f));
  auto y = a.zeros<float>(8);
  tg::pool pool(b);
  auto early = pool.allocate<float>(8);
  early.copy_from(std::vector<float>(8, 2.0f));
  const auto run = [&](tg::driver::device_address from) {
    return error_of([&] {
      a.launch(saxpy{}, tg::cover(8), a.view(reinterpret_cast<float*>(from), 8), y, 1.0f, 8);
      a.synchronize();
    });
  };
  const auto stopped = run(x.native());
  CHECK(stopped.number == 411);
  CHECK(stopped.says("is in memory that is not mapped for device 0"));
  CHECK(run(early.native()).number == 411);
  {
    const tg::peer_access allowed(a, b);
    CHECK(run(x.native()).number == 0);
    CHECK(run(early.native()).number == 0);  // mapped before access was given
    auto late = pool.allocate<float>(std::size_t{8} << 20);
    late.copy_from(std::vector<float>(8, 4.0f));
    CHECK(run(late.native()).number == 0);  // mapped since
    tg::pool second(b);
    auto other = second.allocate<float>(8);
    other.copy_from(std::vector<float>(8, 8.0f));
    CHECK(run(other.native()).number == 0);
    CHECK(y.to_host()[7] == 15.0f);
  }
  CHECK(run(x.native()).number == 411);
  CHECK(run(early.native()).number == 411);
}

TEST_CASE("devices that cannot reach each other say so: TG539") {
  const two_devices shown;
  auto api = hand_written::emulator_table();
  tg::device a("emulator"), far(tg::runtime::machine{&api});
  CHECK(error_of([&] { tg::peer_access p(a, a); }).number == 539);
  CHECK(error_of([&] { tg::peer_access p(a, far); }).number == 539);
  api.cuDeviceCanAccessPeer = [](int* can, int, int) {
    *can = 0;
    return tg::driver::result::success;
  };
  tg::device second(tg::runtime::machine{&api, 1});
  CHECK(error_of([&] {
          tg::peer_access p(far, second);
        }).says("TG539: kernels of 'tg emulator' cannot use memory of 'tg emulator (device 1)'"));
}

TEST_CASE("a device that is not shown is not there: TG503") {
  CHECK(error_of([] { tg::device gpu("emulator:1"); }).says("TG503: there is no emulator 1; there are 1"));
  CHECK(error_of([] { tg::device gpu("emulator:x"); }).number == 520);
  CHECK(error_of([] { tg::device gpu("emulator:"); }).number == 520);
}
