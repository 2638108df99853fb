#include <tg/emulator/program.hpp>

#include <doctest/doctest.h>

#include "runner.hpp"

TEST_CASE("kernels and variables are found by name, and go with the program") {
  tg::emulator::memory m(std::size_t{1} << 20);
  {
    const auto p = tg::emulator::program::load(
        runner::module_text(
            ".global .u32 counter; .entry a() { ret; } .visible .entry b(.param .u32 n) .maxntid 128 { ret; }"),
        m);
    CHECK_EQ(p->kernels().size(), 2);
    REQUIRE(p->find_kernel("b").has_value());
    CHECK_EQ(p->kernels()[*p->find_kernel("b")].max_threads[0], 128);
    CHECK_FALSE(p->find_kernel("c").has_value());
    REQUIRE(p->find_symbol("counter").has_value());
    CHECK_EQ(p->find_symbol("counter")->size_bytes, 4);
    CHECK_FALSE(p->find_symbol("a").has_value());
    CHECK_EQ(m.live_count(), 1);
  }
  CHECK_EQ(m.live_count(), 0);
}
