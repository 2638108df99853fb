// No file includes itself through others, and neither does a room of a folder: each can be read from the bottom up.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sources.hpp"

namespace {

using house::complaints;
using house::source;

using graph = std::map<std::string, std::set<std::string>>;

/// Which file includes which, both as they are named by those who include them.
graph files_of(const std::vector<source>& files) {
  graph out;
  for (const auto& file : files) {
    auto& targets = out[house::target_of(file.path)];
    for (const auto& line : house::includes_of(file)) targets.insert(line.target);
  }
  return out;
}

std::string folder_of(const std::string& path) {
  const auto end = path.rfind('/');
  return end == path.npos ? "" : path.substr(0, end);
}

/// Which folder includes which, among those that lie beside each other in one folder. A folder and the rooms in it are one
/// floor: both may include each other.
graph rooms_of(const graph& files) {
  graph out;
  for (const auto& [file, targets] : files) {
    const std::string own = folder_of(file);
    for (const auto& target : targets) {
      if (!files.contains(target)) continue;
      const std::string other = folder_of(target);
      if (other != own && folder_of(other) == folder_of(own)) out[own].insert(other);
    }
  }
  return out;
}

/// One way around for each cycle that is met: `a > b > a`.
class cycle_search {
 public:
  explicit cycle_search(const graph& g) : graph_(g) {
    for (const auto& [node, targets] : g) visit(node);
  }

  complaints found;

 private:
  void visit(const std::string& node) {
    if (const auto at = std::ranges::find(way_, node); at != way_.end()) {
      std::string text;
      for (auto n = at; n != way_.end(); ++n) text += *n + " > ";
      found.push_back(text + node);
      return;
    }
    if (!done_.insert(node).second) return;
    const auto targets = graph_.find(node);
    if (targets == graph_.end()) return;
    way_.push_back(node);
    for (const auto& target : targets->second) visit(target);
    way_.pop_back();
  }

  const graph& graph_;
  std::vector<std::string> way_;
  std::set<std::string> done_;
};

complaints file_cycles(const std::vector<source>& files) { return cycle_search(files_of(files)).found; }
complaints room_cycles(const std::vector<source>& files) { return cycle_search(rooms_of(files_of(files))).found; }

}  // namespace

TEST_CASE("no file includes itself through others") {
  for (const auto& complaint : file_cycles(house::headers())) FAIL_CHECK(complaint);
}

TEST_CASE("folders beside each other do not include each other in a circle") {
  for (const auto& complaint : room_cycles(house::headers())) FAIL_CHECK(complaint);
}

TEST_CASE("a cycle of files is found, once, and a file that is included on two ways is none") {
  const std::vector<source> clean{
      {"include/tg/dsl/a.hpp", "#include <tg/dsl/b.hpp>\n#include <tg/dsl/c.hpp>\n#include <tg/dsl/d.hpp>\n"},
      {"include/tg/dsl/d.hpp", "#include <vector>\n#include <tg/dsl/c.hpp>\n"},
      {"include/tg/dsl/b.hpp", "#include <tg/dsl/c.hpp>\n"},
      {"include/tg/dsl/c.hpp", ""},
  };
  CHECK(file_cycles(clean).empty());
  auto planted = clean;
  planted[1].text += "#include <tg/dsl/a.hpp>\n";
  CHECK(file_cycles(planted) == complaints{"tg/dsl/a.hpp > tg/dsl/d.hpp > tg/dsl/a.hpp"});
  planted = clean;
  planted[3].text = "#include <tg/dsl/a.hpp>\n";
  CHECK(file_cycles(planted) == complaints{"tg/dsl/a.hpp > tg/dsl/b.hpp > tg/dsl/c.hpp > tg/dsl/a.hpp"});
  CHECK(file_cycles({{"kernels/a.hpp", "#include <kernels/a.hpp>"}}) == complaints{"kernels/a.hpp > kernels/a.hpp"});
}

TEST_CASE("a cycle of rooms is found though no file is in one") {
  const std::vector<source> clean{
      {"include/tg/emulator/run/run.hpp", "#include <tg/emulator/async/a.hpp>\n"},
      {"include/tg/emulator/async/a.hpp", "#include <tg/emulator/check/a.hpp>\n#include <tg/emulator/block/block.hpp>\n"},
      {"include/tg/emulator/async/b.hpp", ""},
      {"include/tg/emulator/check/a.hpp", "#include <tg/emulator/block/block.hpp>\n"},
      {"include/tg/emulator/check/b.hpp", ""},
      {"include/tg/emulator/block/block.hpp", ""},
  };
  CHECK(room_cycles(clean).empty());
  auto planted = clean;
  planted[4].text = "#include <tg/emulator/async/b.hpp>\n";
  CHECK(file_cycles(planted).empty());
  CHECK(room_cycles(planted) == complaints{"tg/emulator/async > tg/emulator/check > tg/emulator/async"});
}
