// How many calls of the driver each operation makes. docs/pages/how-it-works.md has the same numbers, and README.md some of
// them.
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tg/runtime/capture.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/prepared.hpp>

#include "fault_table.hpp"
#include "hand_written.hpp"

using hand_written::saxpy;

namespace {

std::string text_of(const char* path) {
  std::ifstream file(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Operations that a warm program repeats, by the names of the page.
struct operations {
  explicit operations(tg::device device) : gpu(std::move(device)) {}

  std::vector<std::pair<std::string, std::function<void()>>> all() {
    return {
        {"launch", [&] { gpu.launch(saxpy{}, tg::cover(64), x, y, 1.0f, 64); }},
        {"launch on a stream", [&] { work.launch(saxpy{}, tg::cover(64), x, y, 1.0f, 64); }},
        {"prepared launch", [&] { step(x, y, 1.0f, 64); }},
        {"launch with an option, from the second on", [&] { gpu.launch(saxpy{}, tg::grid(2).cluster(2), x, y, 1.0f, 64); }},
        {"buffer, made and freed", [&] { const tg::buffer<float> b(gpu.context(), 64); }},
        {"pool memory, warm, made and freed", [&] { const auto p = pool.allocate<float>(64); }},
        {"copy_from, to_host", [&] { x.copy_from(host); }},
        {"zero", [&] { x.zero(); }},
        {"fill", [&] { x.fill(1.0f); }},
        {"copy of pinned memory on a stream", [&] { work.copy(x, pinned); }},
        {"copy of plain memory on a stream", [&] { work.copy(x, host); }},
        {"record of an event", [&] { work.record(event); }},
        {"wait of a stream for an event", [&] { work.wait_for(event); }},
        {"query of an event", [&] { (void)event.is_done(); }},
        {"replay of a graph", [&] { work.replay(graph); }},
        {"synchronize", [&] { gpu.synchronize(); }},
    };
  }

  tg::device gpu;
  std::vector<float> host = std::vector<float>(64, 1.0f);
  tg::buffer<float> x = gpu.upload(host), y = gpu.zeros<float>(64);
  tg::pinned<float> pinned{gpu, 64};
  tg::pool pool{gpu};
  tg::recording_stream work = tg::stream(gpu).begin();
  tg::event event{gpu};
  tg::prepared<saxpy> step{gpu, saxpy{}, tg::cover(64)};
  tg::executable_graph graph = [&] {
    tg::graph g(gpu);
    g.after().fill(y, 0.0f);
    return g.instantiate();
  }();
};

}  // namespace

TEST_CASE("each operation makes the calls of the driver that the page says") {
  const auto& api = fault::wrapped_table(tg::emulator::driver_table());
  operations each{tg::device(tg::runtime::machine{&api, 0})};
  const std::string page = text_of("docs/pages/how-it-works.md");
  std::map<std::string, std::string> counted;
  for (const auto& one : each.all()) {
    one.second();            // the first may compile, ask or allocate
    each.gpu.synchronize();  // no event is pending
    fault::now().all.clear();
    one.second();
    int calls = 0;
    std::string names;
    for (const auto& [name, count] : fault::now().all) {
      calls += count;
      names += (names.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : "") + std::string(name);
    }
    if (names.empty()) names = "none";
    counted[one.first] = std::to_string(calls);
    const std::string row = "| " + one.first + " | " + std::to_string(calls) + " | " + names + " |";
    CHECK_MESSAGE(page.find(row) != page.npos, row);
  }
  fault::now() = {};
  const std::string row = "| tg | " + counted["launch"] + " | " + counted["zero"] + " | " + counted["copy_from, to_host"] +
                          " | " + counted["record of an event"] + ", " + counted["wait of a stream for an event"] + " | " +
                          counted["copy of pinned memory on a stream"] + " | " + counted["buffer, made and freed"] +
                          "; of a pool " + counted["pool memory, warm, made and freed"] + " |";
  CHECK_MESSAGE(text_of("README.md").find(row) != std::string::npos, row);
}
