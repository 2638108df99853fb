#include <tg/driver/result.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "toolkit.hpp"

using namespace tg::driver;

TEST_CASE("every result has one name and a text") {
  std::set<std::string> names;
  int last = -1;
  for (const result_info& info : results) {
    CHECK(static_cast<int>(info.result) > last);
    last = static_cast<int>(info.result);
    CHECK(names.insert(info.name).second);
    CHECK(info.text[0] != '\0');
    CHECK(find_result(info.result) == &info);
  }
  CHECK(std::string(find_result(result::misaligned_address)->name) == "CUDA_ERROR_MISALIGNED_ADDRESS");
  CHECK(find_result(static_cast<result>(98765)) == nullptr);
}

TEST_CASE("errors of kernels are sticky, errors of calls are not") {
  CHECK(is_sticky(result::illegal_address));
  CHECK(is_sticky(result::misaligned_address));
  CHECK_FALSE(is_sticky(result::out_of_memory));
  CHECK_FALSE(is_sticky(result::invalid_value));
  CHECK_FALSE(is_sticky(result::success));
}

TEST_CASE("results agree with cuda.h, in both directions") {
  const auto text = toolkit::header("cuda.h");
  if (!text) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  const auto theirs = toolkit::numbers(*text);
  for (const result_info& info : results) {
    const auto found = theirs.find(info.name);
    if (found != theirs.end()) CHECK_MESSAGE(found->second == static_cast<long long>(info.result), info.name);
    else MESSAGE("not in this toolkit: ", info.name);
  }
  const auto begin = text->find("typedef enum cudaError_enum");
  const auto end = text->find("} CUresult;");
  REQUIRE(begin < end);
  for (const auto& their : toolkit::numbers(text->substr(begin, end - begin))) {
    if (!their.first.starts_with("CUDA_ERROR_")) continue;
    const result_info* info = find_result(static_cast<result>(their.second));
    REQUIRE_MESSAGE(info != nullptr, their.first);
    CHECK(info->name == their.first);
  }
}
