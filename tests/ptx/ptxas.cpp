#include "ptxas.hpp"

#include <optional>

#include <doctest/doctest.h>

using namespace tg::ptx;

namespace {

/// While one lives, TG_PTXAS_ACCEPTED names an empty folder.
class own_folder {
 public:
  own_folder() {
    if (const char* before = std::getenv("TG_PTXAS_ACCEPTED"); before != nullptr) before_ = before;
    std::filesystem::remove_all(path_);
    ::setenv("TG_PTXAS_ACCEPTED", path_.c_str(), 1);
  }
  own_folder(const own_folder&) = delete;
  ~own_folder() {
    std::filesystem::remove_all(path_);
    if (before_) ::setenv("TG_PTXAS_ACCEPTED", before_->c_str(), 1);
    else ::unsetenv("TG_PTXAS_ACCEPTED");
  }

  /// How many texts are kept.
  std::size_t count() const {
    if (!std::filesystem::exists(path_)) return 0;
    const std::filesystem::directory_iterator all(path_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("tg_accepted_" + std::to_string(getpid()));
  std::optional<std::string> before_;
};

std::string text_of(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cpp\"\n.entry k() {\n" + body + "\tret;\n}\n";
}

}  // namespace

TEST_CASE("a text that ptxas accepts is kept by all that it is but the lines of .loc") {
  const own_folder kept;
  const auto name = [](const std::string& text, const char* target) { return test::detail::acceptance_of(text, target); };
  const std::string text = text_of("\t.loc 1 5 0\n\tbar.sync 0;\n");
  CHECK(name(text, "sm_80") == name(text_of("\t.loc 1 6 0\n\tbar.sync 0;\n"), "sm_80"));
  CHECK(name(text, "sm_80") != name(text_of("\t.loc 1 5 0\n\tbar.sync 1;\n"), "sm_80"));
  CHECK(name(text, "sm_80") != name(text, "sm_90"));
  ::unsetenv("TG_PTXAS_ACCEPTED");
  CHECK(name(text, "sm_80").empty());
}

TEST_CASE("a text that ptxas refuses is not kept, and is asked about again") {
  if (!test::has_ptxas()) {
    MESSAGE("ptxas is not there: nothing is asked");
    return;
  }
  const own_folder kept;
  const std::string wrong = text_of("\tadd.s32 %r0, %r1, %r2;\n");
  for (int turn = 0; turn < 2; ++turn) {
    const test::verdict v = test::ask_ptxas(wrong, "sm_80");
    CHECK_FALSE(v.accepted);
    CHECK(v.log.find("%r0") != std::string::npos);
    CHECK(kept.count() == 0);
  }
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(test::ask_ptxas(text_of("\tbar.sync 0;\n"), "sm_80").accepted);
    CHECK(kept.count() == 1);
  }
}
