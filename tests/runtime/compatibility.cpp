#include <tg/runtime/compatibility.hpp>

#include <doctest/doctest.h>

using tg::runtime::is_code_for;
using tg::runtime::is_ptx_for;
using tg::runtime::newest_ptx;

TEST_CASE("each CUDA version reads PTX up to a version of its own") {
  CHECK(newest_ptx(11000) == tg::ptx::isa_version{7, 0});
  CHECK(newest_ptx(11080) == tg::ptx::isa_version{7, 8});
  CHECK(newest_ptx(12000) == tg::ptx::isa_version{8, 0});
  CHECK(newest_ptx(12050) == tg::ptx::isa_version{8, 5});
  CHECK(newest_ptx(12060) == tg::ptx::isa_version{8, 5});
  CHECK(newest_ptx(12080) == tg::ptx::isa_version{8, 7});
  CHECK(newest_ptx(12090) == tg::ptx::isa_version{8, 8});
  CHECK(newest_ptx(13000) == tg::ptx::isa_version{9, 0});
  CHECK(newest_ptx(10020) == tg::ptx::isa_version{6, 5});
}

TEST_CASE("PTX runs on its target and newer devices, with a suffix on fewer") {
  CHECK(is_ptx_for(70, '\0', 70));
  CHECK(is_ptx_for(70, '\0', 120));
  CHECK_FALSE(is_ptx_for(80, '\0', 75));
  CHECK(is_ptx_for(90, 'a', 90));
  CHECK_FALSE(is_ptx_for(90, 'a', 100));
  CHECK(is_ptx_for(100, 'f', 100));
  CHECK(is_ptx_for(100, 'f', 103));
  CHECK_FALSE(is_ptx_for(103, 'f', 100));
  CHECK_FALSE(is_ptx_for(100, 'f', 120));
}

TEST_CASE("machine code runs on devices of the same major version that are not older") {
  CHECK(is_code_for(80, 80));
  CHECK(is_code_for(80, 86));
  CHECK_FALSE(is_code_for(86, 80));
  CHECK_FALSE(is_code_for(80, 90));
}
