#include <tg/emulator/decode/kept_text.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include "../runner.hpp"

namespace {

/// TG_EMULATOR_PTX for one test.
class named_folder {
 public:
  explicit named_folder(const std::string& folder) {
    if (const char* before = std::getenv("TG_EMULATOR_PTX"); before != nullptr) before_ = before;
    setenv("TG_EMULATOR_PTX", folder.c_str(), 1);
  }
  ~named_folder() {
    if (before_) setenv("TG_EMULATOR_PTX", before_->c_str(), 1);
    else unsetenv("TG_EMULATOR_PTX");
  }
  named_folder(const named_folder&) = delete;
  named_folder& operator=(const named_folder&) = delete;

 private:
  std::optional<std::string> before_;
};

std::multiset<std::string> texts_in(const std::filesystem::path& folder) {
  std::multiset<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    out.emplace(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

}  // namespace

TEST_CASE("texts that load are kept where the environment says, each once") {
  const auto folder = std::filesystem::temp_directory_path() / ("tg_kept_" + std::to_string(getpid()));
  const std::string one = runner::kernel_text(""), other = runner::kernel_text("mov.u32 %r0, 1;");
  {
    const named_folder named(folder.string());
    for (const auto& text : {one, other, one}) runner::bench{text};
    CHECK(runner::failure([] { runner::bench{"no ptx"}; }) != "");
  }
  CHECK(texts_in(folder) == std::multiset<std::string>{one, other});
  std::filesystem::remove_all(folder);
  {
    const named_folder nowhere("");
    runner::bench{one};
  }
  CHECK(!std::filesystem::exists(folder));
}

TEST_CASE("a folder that cannot be written is an error") {
  const named_folder named("/dev/null/texts");
  const std::string failure = runner::failure([] { runner::bench{runner::kernel_text("")}; });
  CHECK(runner::has(failure, "TG480"));
  CHECK(runner::has(failure, "/dev/null/texts"));
}
