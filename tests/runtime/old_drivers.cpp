// tg on drivers of CUDA 11.4 to 13.0: what an old one lacks costs the features that need it, and nothing else.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <tg/driver/libcuda.hpp>
#include <tg/emulator/driver_table/graph_exec.hpp>
#include <tg/emulator/driver_table/graph_node.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/graph.hpp>
#include <tg/runtime/pool.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;
using tg::driver::device_attribute;
using tg::driver::result;

namespace {

int version_now = 0;

/// The youngest device attribute of a version of CUDA. Source: the enumeration CUdevice_attribute of each version's cuda.h.
int last_attribute(int version) {
  return version < 11080 ? 119 : version < 12000 ? 121 : version < 12030 ? 129 : version < 13000 ? 136 : 1000;
}

/// The exports of an old driver that the emulator has under their own names.
void* old_function(const char* name) {
  namespace entry = tg::emulator::entry;
  const std::string_view wanted = name;
  if (wanted == "cuGraphAddKernelNode") return reinterpret_cast<void*>(entry::cuGraphAddKernelNode);
  if (wanted == "cuGraphKernelNodeGetParams") return reinterpret_cast<void*>(entry::cuGraphKernelNodeGetParams);
  if (wanted == "cuGraphExecKernelNodeSetParams") return reinterpret_cast<void*>(entry::cuGraphExecKernelNodeSetParams);
  if (wanted == "cuGraphExecUpdate") return reinterpret_cast<void*>(entry::cuGraphExecUpdate);
  return nullptr;
}

/// The emulator as a driver of that version.
tg::driver::table driver_of(int version, std::vector<tg::driver::symbol>& missing) {
  version_now = version;
  tg::driver::table api = hand_written::gpu_table();
  tg::driver::leave_out_younger(api, version, old_function, missing);
  api.cuDriverGetVersion = [](int* out) { return *out = version_now, result::success; };
  api.cuDeviceGetAttribute = [](int* out, device_attribute a, tg::driver::device_id d) {
    if (static_cast<int>(a) > last_attribute(version_now)) return result::invalid_value;
    return tg::emulator::driver_table().cuDeviceGetAttribute(out, a, d);
  };
  return api;
}

}  // namespace

TEST_CASE("drivers from CUDA 11.4 on open, copy, launch, wait, capture, update graphs and pool memory") {
  for (const int version : {11040, 11060, 11070, 11080, 12000, 12030, 12040, 13000}) {
    CAPTURE(version);
    std::vector<tg::driver::symbol> missing;
    const auto api = driver_of(version, missing);
    tg::device gpu(tg::runtime::machine{&api});
    CHECK(gpu.limits().driver_version == version);
    CHECK(gpu.limits().has_clusters == (version >= 11080));
    auto x = gpu.upload(std::vector<float>(64, 1.0f)), y = gpu.zeros<float>(64);
    gpu.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
    tg::event done(gpu);
    auto work = tg::stream(gpu).begin();
    work.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
    work.record(done);
    auto capturing = std::move(work).submit().wait().capture();
    capturing.launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
    const auto captured = std::move(capturing).end();
    tg::stream_view legacy(gpu, nullptr);
    legacy.replay(captured.graph.instantiate());
    tg::graph first(gpu), second(gpu);
    const auto node = first.after().launch(saxpy{}, tg::cover(64), x, y, 1.0f, 64);
    second.after().launch(saxpy{}, tg::cover(64), x, y, 4.0f, 64);
    auto ready = first.instantiate();
    legacy.replay(ready);
    ready.set_launch(node, saxpy{}, tg::cover(64), x, y, 3.0f, 64);
    legacy.replay(ready);
    ready.update(second);
    legacy.replay(ready);
    tg::graph other(gpu);
    other.after().fill(y, 0.0f);
    CHECK(error_of([&] { ready.update(other); }).number == 536);
    tg::pool pool(gpu);
    auto pooled = pool.allocate<float>(64);
    legacy.copy(pooled.whole(), y);
    CHECK(pooled.to_host() == std::vector<float>(64, 14.0f));
    const auto cluster = error_of([&] { gpu.launch(saxpy{}, tg::grid(2).cluster(2), x, y, 1.0f, 64); });
    CHECK(cluster.number == (version >= 11080 ? 0 : 570));
    const auto carve = error_of([&] { gpu.launch(saxpy{}, tg::grid(1).carve_out(50), x, y, 1.0f, 64); });
    CHECK(carve.number == 0);
    const auto priority = error_of([&] { gpu.launch(saxpy{}, tg::grid(1).priority(0), x, y, 1.0f, 64); });
    CHECK(priority.number == (version >= 11060 ? 0 : 502));
    if (version < 11060) CHECK(priority.says("cuLaunchKernelEx"));
  }
}

TEST_CASE("what a driver lacks is what is younger than it, but for what an older function does as well") {
  struct lack {
    int version;
    std::size_t functions;
  };
  for (const lack& l : std::vector<lack>{{11040, 6}, {11060, 5}, {11070, 3}, {11080, 3}, {12000, 1}, {12030, 0}, {13000, 0}}) {
    CAPTURE(l.version);
    std::vector<tg::driver::symbol> missing;
    driver_of(l.version, missing);
    CHECK(missing.size() == l.functions);
  }
}

TEST_CASE("the guide has each function that CUDA 11.4 lacks, with its version") {
  std::ifstream file("docs/pages/guide/install.md");
  REQUIRE(file);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const tg::driver::symbol& s : tg::driver::symbols) {
    if (s.since <= 11040) continue;
    const std::string version = std::to_string(s.since / 1000) + "." + std::to_string(s.since % 1000 / 10);
    CHECK_MESSAGE(page.find("| `" + std::string(s.name) + "` | " + version + " |") != page.npos, s.name);
  }
}
