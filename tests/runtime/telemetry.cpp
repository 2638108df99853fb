#include <tg/runtime/telemetry.hpp>

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <sstream>
#include <string>

#include "../base/comma_locale.hpp"
#include "hand_written.hpp"

TEST_CASE("telemetry says what a device and its pools have done") {
  auto api = hand_written::emulator_table();
  tg::device gpu(tg::runtime::machine{&api});
  const auto fresh = tg::telemetry_of(gpu);
  CHECK(fresh.device == gpu.name());
  CHECK(fresh.launches == 0);
  CHECK(fresh.pools.allocations == 0);

  constexpr unsigned n = 1000;
  const std::vector<float> host(n, 1.0f);
  const tg::pool pools[] = {tg::pool(gpu), tg::pool(gpu)};
  tg::pool first = pools[0], second = pools[1];
  auto x = gpu.upload(host);
  auto y = first.allocate<float>(n), z = second.allocate<float>(2 * n);
  y.copy_from(host);
  for (int i = 0; i < 3; ++i) gpu.launch(hand_written::saxpy{}, tg::cover(n), x, y, 1.0f, n);
  gpu.launch(hand_written::saxpy{}, tg::cover(n).priority(0), x, y, 1.0f, n);
  gpu.synchronize();
  const auto out = y.to_host();

  const auto t = tg::telemetry_of(gpu, pools);
  CHECK(t.launches == 4);
  CHECK(t.graph_launches == 0);
  CHECK(t.host_to_device_bytes == 8 * n);
  CHECK(t.device_to_host_bytes == 4 * n);
  CHECK(t.synchronisations >= 3);
  CHECK(t.modules_loaded == 1);
  CHECK(t.allocations == 3);
  CHECK(t.allocated_bytes == 4 * n + 2 * (std::size_t{16} << 20));
  CHECK(t.driver_calls > 10);
  CHECK(t.pools.allocations == 2);
  CHECK(t.pools.live_bytes == 4096 + 8192);
  CHECK(t.pools.reserved_bytes == std::size_t{32} << 20);
}

namespace {

/// What is wrong with a text as Prometheus reads it: `# HELP name words`, `# TYPE name kind`, `name{label="..."}
/// number`.
std::string complaint_about(const std::string& text) {
  std::istringstream lines(text);
  std::string helped, typed, kind;
  std::set<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mark, what, name;
    words >> mark;
    if (mark == "#") {
      words >> what >> name;
      if (what == "HELP") helped = name;
      else if (what == "TYPE") typed = name, words >> kind;
      else return "neither HELP nor TYPE: " + line;
      continue;
    }
    const auto brace = line.find('{'), end = line.rfind("} ");
    if (brace == line.npos || end == line.npos) return "no label: " + line;
    name = line.substr(0, brace);
    if (name != helped || name != typed) return "no help or type: " + name;
    if (!seen.insert(name).second) return "twice: " + name;
    if ((kind == "counter") != name.ends_with("_total")) return "a counter ends in _total: " + name;
    for (const char c : name)
      if (!std::islower(static_cast<unsigned char>(c)) && c != '_') return "a character of " + name;
    std::size_t used = 0;
    const std::string number = line.substr(end + 2);
    std::stod(number, &used);
    if (used != number.size()) return "no number: " + line;
  }
  return seen.empty() ? "empty" : "";
}

}  // namespace

TEST_CASE("the text is what Prometheus reads") {
  tg::telemetry t;
  t.device = "NVIDIA \"H\\200\"\n";
  t.launches = 12;
  t.cache.hits = 3;
  t.pools.free_bytes = 4096;
  t.pools.largest_free_bytes = 1024;
  const std::string text = tg::to_prometheus(t);
  CHECK(complaint_about(text) == "");
  CHECK(text.find("# HELP tg_launches_total Kernels launched.\n# TYPE tg_launches_total counter\n"
                  "tg_launches_total{device=\"NVIDIA \\\"H\\\\200\\\"\\n\"} 12\n") != text.npos);
  CHECK(text.find("tg_cache_hits_total{") != text.npos);
  CHECK(text.find("# TYPE tg_pool_fragmentation gauge\n") != text.npos);
  CHECK(text.find("} 0.75\n") != text.npos);
}

TEST_CASE("the reader of such texts finds faults") {
  CHECK(complaint_about("") == "empty");
  CHECK(complaint_about("a_total{d=\"\"} 1\n") == "no help or type: a_total");
  CHECK(complaint_about("# HELP a b\n# TYPE a counter\na{d=\"\"} 1\n") == "a counter ends in _total: a");
  CHECK(complaint_about("# HELP a b\n# TYPE a gauge\na{d=\"\"} 1\na{d=\"\"} 2\n") == "twice: a");
}

TEST_CASE("a ratio has a point where the locale has a comma") {
  tg::telemetry t;
  t.pools.free_bytes = 4096;
  t.pools.largest_free_bytes = 1024;
  const comma_locale here;
  CHECK(tg::to_prometheus(t).find("tg_pool_fragmentation{device=\"\"} 0.75\n") != std::string::npos);
}
