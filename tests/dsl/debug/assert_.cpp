#include <tg/dsl/debug/assert_.hpp>

#include "../word.hpp"

TEST_CASE("an assertion that does not hold ends the kernel and says where") {
  const int line = __LINE__ + 2;
  const auto kernel = tg::lower(
      tg::kernel<"asserts">(tg::block<32>, [](auto block, tg::in<int> x) { tg::assert_(x(block.thread.x) < 5, "x < 5"); }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<int> x(32, 4);
  word::launch(kernel.ptx, 1, x);
  x[7] = 5;
  try {
    word::launch(kernel.ptx, 1, x);
    FAIL("the assertion holds");
  } catch (const tg::error& e) {
    const std::string text = e.what();
    if (gpu_machine::is_asked()) {  // the driver prints the line to the standard error
      CHECK(text.find("ASSERT") != text.npos);
      return;
    }
    CHECK(e.number() == 466);
    CHECK(text.find("assert_.cpp:" + std::to_string(line) + ": asserts") != text.npos);
    CHECK(text.find("thread: [7,0,0] Assertion `x < 5` failed") != text.npos);
  }
}
