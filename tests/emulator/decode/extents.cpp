#include <tg/emulator/decode/extents.hpp>

#include "../check/planted.hpp"
#include "../runner.hpp"

using planted::launch_shape;

TEST_CASE("accesses outside of what they are aimed at are found, their clean twins are silent") {
  const launch_shape one{{1}, {32}};
  tg::dynamic_array<int> third(32, 3), index(16, 0), past(16, 0);
  index[3] = 15;
  past[3] = 16;
  planted::check("memory",
                 {
                     {"past_end",
                      {{1}, {256}},
                      "TG402",
                      "in[threadIdx.x + 1]",
                      {"Invalid __global__ read of size 4 bytes", "thread (255, 0, 0)", "is out of bounds",
                       "0 bytes after the nearest allocation", "of size 1024 bytes"}},
                     {"past_end_right", {{1}, {256}}},
                     {"far_past_end",
                      one,
                      "TG402",
                      "in[threadIdx.x * 100000]",
                      {"thread (1, 0, 0)", "bytes after the nearest allocation"}},
                     {"negative",
                      one,
                      "TG402",
                      "out[(int)threadIdx.x - 1]",
                      {"Invalid __global__ write", "thread (0, 0, 0)", "4 bytes before"}},
                     {"misaligned", one, "TG403", "(in + 2)", {"2 bytes past a multiple of 4"}},
                     {"misaligned_vector", one, "TG403", "(in + 1 + threadIdx.x)", {"size 16 bytes", "is misaligned"}},
                     {"null_pointer", one, "TG408", "((float**)in)[0]", {"Invalid __global__ write", "null pointer"}},
                     {"neighbour",
                      one,
                      "TG410",
                      "first[threadIdx.x + in[0]]",
                      {"Invalid __shared__ read of size 4 bytes", "thread (29, 0, 0)",
                       "4 bytes too far for the variable of 128 bytes", "first"},
                      third},
                     {"neighbour", one},
                     {"beyond_shared",
                      {{1}, {32}, 128},
                      "TG404",
                      "d[threadIdx.x * 1000]",
                      {"Invalid __shared__ write", "thread (1, 0, 0)"}},
                     {"beyond_shared", {{1}, {1}, 128}},
                     {"local_array",
                      {{1}, {16}},
                      "TG405",
                      "a[in[threadIdx.x]]",
                      {"Invalid __local__ read", "thread (3, 0, 0)", "64 bytes"},
                      past},
                     {"local_array", {{1}, {16}}, "", "", {}, index},
                 });
}

TEST_CASE("an index past one of two variables is found in every space, and through arithmetic") {
  const auto text = [](const char* space, const char* index) {
    return runner::kernel_text(std::string(".") + space + " .align 4 .b32 first[4]; ." + space +
                               " .align 4 .b32 second[4]; mov.u64 %rd4, first; mov.u64 %rd5, second; mov.u32 %r0, " + index +
                               "; mul.wide.s32 %rd6, %r0, 4; add.s64 %rd7, %rd4, %rd6; mov.u32 %r1, 7; st." + space +
                               ".u32 [%rd7], %r1; st." + space + ".u32 [%rd5], %r1;");
  };
  for (const char* space : {"shared", "local"}) {
    CAPTURE(space);
    CHECK_EQ(runner::failure_of(text(space, "3"), {{1}, {1}}), "");
    for (const char* wrong : {"4", "6", "-1"}) {
      const std::string failure = runner::failure_of(text(space, wrong), {{1}, {1}});
      CAPTURE(failure);
      CHECK(runner::has(failure, wrong[0] == '-' ? "TG4" : "TG410"));
      CHECK(runner::has(failure, "is out of bounds"));
    }
  }
}

TEST_CASE("an address that may be of either variable is only held to the space") {
  const std::string either = runner::kernel_text(
      ".shared .align 4 .b32 first[4]; .shared .align 4 .b32 second[4]; mov.u64 %rd4, first; mov.u64 %rd5, second; "
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; selp.b64 %rd6, %rd4, %rd5, %p0; ld.shared.u32 %r1, [%rd6+12];");
  CHECK_EQ(runner::failure_of(either, {{1}, {2}}), "");
}

TEST_CASE("an address of another space is found") {
  CHECK(runner::has(runner::failure_of(runner::kernel_text("ld.shared.u32 %r0, [%rd0];"), {{1}, {1}}), "TG404"));
  CHECK(runner::has(runner::failure_of(runner::kernel_text("st.local.u32 [%rd0], 1;"), {{1}, {1}}), "TG405"));
  CHECK(runner::has(runner::failure_of(runner::kernel_text(".shared .align 4 .b32 t[4]; mov.u64 %rd4, t; ld.global.u32 %r0, "
                                                           "[%rd4];"),
                                       {{1}, {1}}),
                    "TG408"));
}
