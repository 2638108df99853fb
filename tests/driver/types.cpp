#include <tg/driver/types.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "enumerators.hpp"

TEST_CASE("every enumerator agrees with cuda.h") {
  const auto cuda_h = toolkit::header("cuda.h");
  const auto ours = toolkit::read("include/tg/driver/types.hpp");
  REQUIRE(ours);
  const auto enumerators = toolkit::enumerators_of(*ours);
  CHECK(enumerators.size() > 150);
  if (!cuda_h) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  for (const auto& text : toolkit::disagreements(enumerators, *cuda_h)) FAIL_CHECK(text);
  CHECK(cuda_h->find("typedef unsigned long long CUdeviceptr_v2;") != std::string::npos);
}

TEST_CASE("a wrong enumerator is found") {
  const auto ours =
      toolkit::enumerators_of("/// CU_A_.\nenum class a : int { one = 1, two_ = 3 };\n\n/// CU_B_.\nenum b { x = 0 };\n");
  REQUIRE(ours.size() == 3);
  CHECK(ours[1].name == "CU_A_TWO");
  const std::string cuda_h = "  CU_A_ONE = 1,\n  CU_A_TWO = 2,  /**< two */\n#define CU_B_X_AS_INT 0x00\n";
  CHECK(toolkit::disagreements(ours, cuda_h) == std::vector<std::string>{"CU_A_TWO is 3 here and 2 in cuda.h"});
  CHECK(toolkit::disagreements({{"CU_A_THREE", 3}}, cuda_h) == std::vector<std::string>{"CU_A_THREE is not in cuda.h"});
}

TEST_CASE("handles are pointers, addresses 64 bits") {
  CHECK(sizeof(tg::driver::context_handle) == sizeof(void*));
  CHECK(sizeof(tg::driver::device_address) == 8);
  CHECK(sizeof(tg::driver::device_attribute) == 4);
}
