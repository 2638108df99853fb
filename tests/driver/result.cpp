#include <tg/driver/result.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
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

TEST_CASE("every error after which cuda.h says that a process or context cannot go on is sticky") {
  for (const result r :
       {result::contained, result::illegal_address, result::launch_timeout, result::assert_, result::hardware_stack_error,
        result::illegal_instruction, result::misaligned_address, result::invalid_address_space, result::invalid_pc,
        result::launch_failed, result::tensor_memory_leak, result::mps_client_terminated, result::external_device})
    CHECK_MESSAGE(is_sticky(r), static_cast<int>(r));
  const auto text = toolkit::header("cuda.h");
  if (!text) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  int found = 0;
  for (std::size_t at = text->find("typedef enum cudaError_enum"); (at = text->find("/**", at)) < text->find("} CUresult;");
       ++at) {
    const std::size_t end = text->find("*/", at), name = text->find("CUDA_", end);
    std::string words;
    for (std::size_t i = at; i < end; ++i)  // lines are broken between words
      if (const char c = (*text)[i]; c != '*' && !(c == ' ' && words.ends_with(' '))) words += c == '\n' ? ' ' : c;
    std::string joined;
    for (const char c : words)
      if (c != ' ' || !joined.ends_with(' ')) joined += c;
    const bool says =
        joined.find("process must be terminated") != joined.npos || joined.find("must be destroyed") != joined.npos;
    if (!says) continue;
    const auto number = std::strtol(text->c_str() + text->find('=', name) + 1, nullptr, 10);
    CHECK_MESSAGE(is_sticky(static_cast<result>(number)), number);
    ++found;
  }
  CHECK(found >= 12);
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
