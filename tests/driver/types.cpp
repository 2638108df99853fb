#include <tg/driver/types.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "toolkit.hpp"

namespace {

struct enumerator {
  std::string name;  // the driver's
  long long value;
};

/// Every enumerator of our header by the driver's name, which is the prefix named in the comment above it and its own
/// name in capitals.
std::vector<enumerator> enumerators_of(std::string_view text) {
  std::vector<enumerator> out;
  for (std::size_t at = 0; (at = text.find("\nenum ", at)) != text.npos;) {
    const auto comment = text.substr(0, at);
    auto prefix = comment.substr(comment.rfind("CU_"));
    prefix = prefix.substr(0, prefix.find('.'));
    const auto open = text.find('{', at);
    const auto close = text.find('}', at);
    std::string_view body = text.substr(open + 1, close - open - 1);
    while (!body.empty()) {
      const auto comma = std::min(body.find(','), body.size());
      const auto one = body.substr(0, comma);
      body.remove_prefix(std::min(comma + 1, body.size()));
      const auto equal = one.find('=');
      if (equal == one.npos) continue;
      std::string name;
      for (const char c : one.substr(0, equal))
        if (!std::isspace(static_cast<unsigned char>(c))) name += static_cast<char>(std::toupper(c));
      if (name.back() == '_') name.pop_back();
      out.push_back({std::string(prefix) + name, std::strtoll(std::string(one.substr(equal + 1)).c_str(), nullptr, 0)});
    }
    at = close;
  }
  return out;
}

std::vector<std::string> disagreements(const std::vector<enumerator>& ours, const std::string& cuda_h) {
  const auto theirs = toolkit::numbers(cuda_h);
  std::vector<std::string> out;
  for (const auto& [name, value] : ours) {
    auto found = theirs.find(name);
    if (found == theirs.end()) found = theirs.find(name + "_AS_INT");
    if (found == theirs.end()) out.push_back(name + " is not in cuda.h");
    else if (found->second != value)
      out.push_back(name + " is " + std::to_string(value) + " here and " + std::to_string(found->second) + " in cuda.h");
  }
  return out;
}

}  // namespace

TEST_CASE("every enumerator agrees with cuda.h") {
  const auto cuda_h = toolkit::header("cuda.h");
  const auto ours = toolkit::read("include/tg/driver/types.hpp");
  REQUIRE(ours);
  const auto enumerators = enumerators_of(*ours);
  CHECK(enumerators.size() > 80);
  if (!cuda_h) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  for (const auto& text : disagreements(enumerators, *cuda_h)) FAIL_CHECK(text);
  CHECK(cuda_h->find("typedef unsigned long long CUdeviceptr_v2;") != std::string::npos);
}

TEST_CASE("a wrong enumerator is found") {
  const auto ours = enumerators_of("/// CU_A_.\nenum class a : int { one = 1, two_ = 3 };\n\n/// CU_B_.\nenum b { x = 0 };\n");
  REQUIRE(ours.size() == 3);
  CHECK(ours[1].name == "CU_A_TWO");
  const std::string cuda_h = "  CU_A_ONE = 1,\n  CU_A_TWO = 2,  /**< two */\n#define CU_B_X_AS_INT 0x00\n";
  CHECK(disagreements(ours, cuda_h) == std::vector<std::string>{"CU_A_TWO is 3 here and 2 in cuda.h"});
  CHECK(disagreements({{"CU_A_THREE", 3}}, cuda_h) == std::vector<std::string>{"CU_A_THREE is not in cuda.h"});
}

TEST_CASE("handles are pointers, addresses 64 bits") {
  CHECK(sizeof(tg::driver::context_handle) == sizeof(void*));
  CHECK(sizeof(tg::driver::device_address) == 8);
  CHECK(sizeof(tg::driver::device_attribute) == 4);
}
