#include "machine.hpp"

#include <doctest/doctest.h>

#include <tg/emulator/driver_table/driver_table.hpp>

namespace {

const std::string twice =
    runner::kernel_text("mov.u32 %r0, %tid.x; mul.wide.u32 %rd5, %r0, 4; add.u64 %rd6, %rd0, %rd5; ld.global.u32 %r1, [%rd6];\n"
                        "add.u32 %r1, %r1, %r1; add.u64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r1;");

template <class Machine> std::vector<std::uint32_t> doubled(Machine& m) {
  const std::uint64_t in = m.upload(std::vector<std::uint32_t>{1, 2, 3, 0x80000001}),
                      out = m.upload(std::vector<std::uint32_t>(4));
  m.run({{1}, {4}}, {in, out});
  return m.template download<std::uint32_t>(out, 4);
}

}  // namespace

TEST_CASE("a driver runs what the emulator runs without one") {
  const std::vector<std::uint32_t> wanted{2, 4, 6, 2};
  conformance::machine chosen(twice);
  CHECK_EQ(doubled(chosen), wanted);
  conformance::driver_bench by_table(tg::emulator::driver_table(), twice);
  CHECK_EQ(doubled(by_table), wanted);
}

TEST_CASE("a driver's refusal is an error that names the call") {
  CHECK(runner::has(runner::failure([] { conformance::driver_bench(tg::emulator::driver_table(), "no PTX"); }),
                    "cuModuleLoadDataEx"));
}
