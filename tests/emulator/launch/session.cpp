#include <tg/emulator/launch/session.hpp>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../runner.hpp"

using namespace tg::emulator::check;

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

std::string temporary(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

finding some() {
  finding f;
  f.code = tg::code{402};
  f.what = "Invalid __global__ read of size 4 bytes";
  return f;
}

}  // namespace

TEST_CASE("a session keeps findings and writes a report that grows") {
  const std::string text = temporary("tg_session.txt"), json = temporary("tg_session.json");
  session a, b;
  a.report_to(text);
  b.report_to(json);
  CHECK_EQ(read(text), "0 findings\n");
  CHECK(nlohmann::json::parse(read(json)).empty());
  a.add({some()});
  b.add({some(), some()});
  CHECK_EQ(read(text), to_text(some()) + "1 finding\n");
  CHECK(nlohmann::json::parse(read(json)).size() == 2);
  CHECK(a.take().size() == 1);
  CHECK(a.take().empty());
  std::filesystem::remove(text);
  std::filesystem::remove(json);
}

TEST_CASE("what a launch finds is kept when it fails") {
  session s;
  const std::string error = runner::failure([&] {
    s.launch({}, [](const tg::emulator::options& how) {
      how.findings->push_back(some());
      throw failure(some());
    });
  });
  CHECK(runner::has(error, "TG402"));
  CHECK(s.take() == tg::dynamic_array<finding>{some()});
}

TEST_CASE("a report that cannot be written is refused") {
  session s;
  CHECK(runner::has(runner::failure([&] { s.report_to("/nowhere/at/all.txt"); }), "TG480"));
}
