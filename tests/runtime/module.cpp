#include <tg/runtime/module.hpp>

#include <tg/runtime/function.hpp>
#include <tg/runtime/stream_work.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

namespace {

constexpr char counting[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 counter[4];
.visible .global .align 1 .b8 odd[7];
.visible .entry count(.param .u32 by)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [by];
  mov.u64 %rd1, counter;
  ld.global.u32 %r2, [%rd1+8];
  add.u32 %r2, %r2, %r1;
  st.global.u32 [%rd1+8], %r2;
  ret;
}
)";

}  // namespace

TEST_CASE("the variables of a module are parts of device memory") {
  const tg::device gpu("emulator");
  const tg::module m(gpu, counting);
  CHECK(m.native() != nullptr);
  const auto counter = m.variable<unsigned>("counter");
  CHECK(counter.size() == 4);
  tg::stream_view work(gpu, nullptr);
  work.fill(counter, 10u);
  m.function("count").launch(tg::grid(1), {1, 1, 1}, 5u);
  std::vector<unsigned> out(4);
  work.copy(out, counter);
  CHECK(out == std::vector<unsigned>{10, 10, 15, 10});
  CHECK(m.variable<char>("odd").size() == 7);
}

TEST_CASE("variables that are not there or of another size: TG507, TG542") {
  const tg::device gpu("emulator");
  const tg::module m(gpu, counting);
  CHECK(error_of([&] { (void)m.variable<int>("count_er"); }).number == 507);
  const auto wrong = error_of([&] { (void)m.variable<int>("odd"); });
  CHECK(wrong.number == 542);
  CHECK(wrong.says("'odd' has 7 bytes, no multiple of 4"));
  CHECK(error_of([&] { (void)m.function("counter"); }).number == 507);
}

TEST_CASE("what does not load says why: TG505, TG506, TG550, TG551") {
  const tg::device gpu("emulator");
  CHECK(error_of([&] { tg::module m(gpu, ".version 7.0\n.target sm_70\nnonsense"); }).number == 505);
  CHECK(error_of([&] { tg::module m(gpu, ".version 99.0\n.target sm_70\n.address_size 64\n"); }).number == 506);
  CHECK(error_of([&] { tg::module m(gpu, ""); }).number == 551);
  CHECK(error_of([&] { tg::module m(gpu, counting, {.optimization_level = 9}); }).number == 550);
}

TEST_CASE("the header of a PTX text is read") {
  const auto a = tg::runtime::with_header(counting);
  CHECK(a.version == tg::ptx::isa_version{7, 0});
  CHECK(a.sm == 70);
  CHECK(a.target_suffix == '\0');
  const auto b = tg::runtime::with_header("// x\n.version 8.4\n.target sm_90a, debug\n");
  CHECK(b.version == tg::ptx::isa_version{8, 4});
  CHECK(b.sm == 90);
  CHECK(b.target_suffix == 'a');
  CHECK(tg::runtime::with_header("nothing").sm == 0);
}

TEST_CASE("a module is unloaded with its last function") {
  static int unloaded;
  unloaded = 0;
  auto api = hand_written::emulator_table();
  api.cuModuleUnload = [](tg::driver::module_handle m) {
    ++unloaded;
    return tg::emulator::driver_table().cuModuleUnload(m);
  };
  const tg::device gpu(tg::runtime::machine{&api});
  std::optional<tg::function> last;
  {
    const tg::module m(gpu, counting);
    const tg::module copy = m;
    last.emplace(m.function("count"));
  }
  CHECK(unloaded == 0);
  last->launch(tg::grid(1), {1, 1, 1}, 1u);
  last.reset();
  CHECK(unloaded == 1);
}
