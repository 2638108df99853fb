#include <tg/emulator/decode/decode_call.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

std::string load_failure(const std::string& text) {
  return failure([&] {
    tg::emulator::memory m(std::size_t{1} << 20);
    tg::emulator::program::load(text, m);
  });
}

}  // namespace

TEST_CASE("a function that is defined nowhere is named, with what the emulator has itself") {
  const std::string failure = load_failure(kernel_text("call nowhere;", ".extern .func nowhere();"));
  CHECK(has(failure, "TG401"));
  CHECK(has(failure, "'nowhere'"));
  CHECK(has(failure, "vprintf"));
  CHECK_EQ(load_failure(kernel_text("", ".extern .func nowhere();")), "");
}

TEST_CASE("a call with other arguments than its function is refused") {
  const char* const f = ".func f(.param .b32 x) { ret; } .func g(.param .b64 x) { ret; }\n";
  CHECK(has(load_failure(kernel_text("call f;", f)), "TG311"));
  CHECK(has(load_failure(kernel_text("call f, (%r1, %r2);", f)), "0 results and 1 parameters"));
  CHECK(has(load_failure(kernel_text("call g, (%r1);", f)), "narrower"));
  CHECK(has(load_failure(kernel_text("{ .param .b32 y; call g, (y); }", f)), "smaller than the parameter"));
  CHECK(has(load_failure(kernel_text("{ .local .b64 y; call g, (y); }", f)), "no .param"));
  CHECK(has(load_failure(kernel_text("call g, (p0);", f)), "of the kernel itself"));
  CHECK_EQ(load_failure(kernel_text("{ .param .b64 y; call g, (y); }", f)), "");
  CHECK(has(load_failure(kernel_text("call %rd1;", f)), "needs a prototype"));
  CHECK_EQ(load_failure(kernel_text("call f, (%r1); call g, (%rd1);", f)), "");
}

TEST_CASE("only functions that may be entered again have frames on the stack") {
  tg::emulator::memory m(std::size_t{1} << 20);
  const auto p = tg::emulator::program::load(kernel_text("call plain; call deep;", R"(
    .func plain() { .local .b8 x[8]; .reg .b64 %d; mov.u64 %d, x; ret; }
    .func deep() { .local .b8 y[8]; .reg .b64 %d; mov.u64 %d, y; call deep; ret; })"),
                                             m);
  const auto& image = p->image();
  const auto number = [&](const char* name) {
    return static_cast<std::size_t>(p->source().find(name) - p->source().functions.data());
  };
  CHECK_FALSE(image.functions[number("plain")].is_stacked);
  CHECK(image.functions[number("deep")].is_stacked);
  CHECK(image.uses_stack);
  CHECK_EQ(image.local_bytes, 16);
}
