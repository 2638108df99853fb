#include <tg/dsl/debug/clock.hpp>

#include "../recording.hpp"
#include "../word.hpp"

TEST_CASE("clocks are read where they are written, each time again") {
  CHECK(recording::of([](auto, auto) { (void)tg::clock(), (void)tg::clock64(), (void)tg::global_time_ns(); }).text ==
        "mov.u32 mov.u64 mov.u64");
  const auto kernel = tg::lower(
      tg::kernel<"clocks">(tg::block<32>, [](auto block, tg::out<unsigned> cycles, tg::out<unsigned long long> times) {
        const auto before = tg::clock();
        const auto wide = tg::clock64();
        const auto time = tg::global_time_ns();
        cycles(block.thread.x) = tg::clock() - before;
        times(block.thread.x) = (tg::clock64() - wide) + (tg::global_time_ns() - time);
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  int reads = 0;
  for (const char* name : {"%clock;", "%clock64;", "%globaltimer;"})
    for (std::size_t at = 0; (at = kernel.ptx.find(name, at)) != std::string::npos; ++at) ++reads;
  CHECK(reads == 6);
}
