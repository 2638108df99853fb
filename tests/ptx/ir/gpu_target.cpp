#include <tg/ptx/ir/gpu_target.hpp>

#include <doctest/doctest.h>

#include <string>

#include "../ptxas.hpp"

using namespace tg::ptx;

static_assert(find_gpu_target(90, 'a')->isa == 80);
static_assert(find_gpu_target(90, 'f') == nullptr && find_gpu_target(85, '\0') == nullptr);
static_assert(is_isa_version({6, 5}) && !is_isa_version({6, 9}) && !is_isa_version({9, 1}) && !is_isa_version({0, 9}));

namespace {

/// What ptxas says of a text for the newest GPU, or of the one named.
std::string complaint(isa_version v, const std::string& target, const std::string& gpu = "sm_121") {
  const std::string number = std::to_string(v.major) + "." + std::to_string(v.minor);
  return test::ask_ptxas(".version " + number + "\n.target " + target + "\n.entry k() { ret; }\n", gpu).log;
}

}  // namespace

TEST_CASE("the versions and targets are those that ptxas has") {
  if (!test::has_ptxas()) {
    MESSAGE("ptxas is not there: skipped");
    return;
  }
  for (const isa_version v : {isa_version{6, 5}, {6, 6}, {7, 8}, {7, 9}, {8, 8}, {8, 9}, {9, 0}, {9, 1}, {5, 1}, {5, 2}})
    CHECK_EQ(complaint(v, "sm_10").find("Unsupported .version") == std::string::npos, is_isa_version(v));
  for (const int sm : {50, 75, 82, 83, 85, 88, 89, 90, 91, 100, 102, 103, 120, 122})
    for (const char suffix : {'\0', 'a', 'f'}) {
      const std::string target = "sm_" + std::to_string(sm) + (suffix == '\0' ? "" : std::string(1, suffix));
      CAPTURE(target);
      const gpu_target* const known = find_gpu_target(sm, suffix);
      CHECK_EQ(complaint({9, 0}, target).find("Unsupported .target") == std::string::npos, known != nullptr);
      if (known == nullptr || known->isa <= 10) continue;
      const isa_version least{known->isa / 10, known->isa % 10};
      const isa_version before = least.minor > 0 ? isa_version{least.major, least.minor - 1} : isa_version{least.major - 1, 0};
      CHECK_EQ(complaint(least, target).find("does not support .target"), std::string::npos);
      CHECK_NE(complaint(before, target).find("does not support .target"), std::string::npos);
    }
}
