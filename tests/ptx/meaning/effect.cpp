#include <tg/ptx/meaning/effect.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <tg/ptx/parse/parse.hpp>

namespace {

using tg::ptx::effect;

/// The last instruction of `text`, which may use the names below.
tg::ptx::instruction one(const std::string& text) {
  const tg::ptx::module m = tg::ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 in) {\n"
      ".reg .pred %p<8>; .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .f32 %f<8>; .shared .b32 tile[8]; .param .b32 q;\n" +
      text + ";\n}\n");
  return m.functions[0].body.back();
}

struct row {
  std::string text;
  effect what;
  int results;
};

}  // namespace

TEST_CASE("what instructions do beyond their results") {
  const row rows[] = {
      {"add.s32 %r0, %r1, %r2", effect::pure, 1},
      {"setp.lt.s32 %p0|%p1, %r1, %r2", effect::pure, 1},
      {"mov.u32 %r0, %tid.x", effect::pure, 1},
      {"mov.u32 %r0, %clock", effect::ordered, 1},
      {"mov.u64 %l0, %globaltimer", effect::ordered, 1},
      {"add.cc.u32 %r0, %r1, %r2", effect::ordered, 1},
      {"addc.u32 %r0, %r1, %r2", effect::ordered, 1},
      {"madc.hi.u32 %r0, %r1, %r2, %r3", effect::ordered, 1},
      {"ld.param.u64 %l0, [in]", effect::reads_constant, 1},
      {"ld.const.u32 %r0, [%l0]", effect::reads_constant, 1},
      {"ld.global.nc.v2.u32 {%r0, %r1}, [%l0]", effect::reads_constant, 1},
      {"ld.param.b32 %r0, [q]", effect::reads_memory, 1},
      {"ld.global.u32 %r0, [%l0]", effect::reads_memory, 1},
      {"ld.volatile.global.u32 %r0, [%l0]", effect::ordered, 1},
      {"ld.relaxed.gpu.u32 %r0, [%l0]", effect::ordered, 1},
      {"ld.acquire.gpu.u32 %r0, [%l0]", effect::synchronizes, 1},
      {"st.shared.u32 [tile], %r0", effect::writes_memory, 0},
      {"atom.global.add.u32 %r0, [%l0], %r1", effect::atomic, 1},
      {"red.global.add.u32 [%l0], %r1", effect::atomic, 0},
      {"bar.sync 0", effect::synchronizes, 0},
      {"bar.red.popc.u32 %r0, 0, %p0", effect::synchronizes, 1},
      {"fence.acq_rel.gpu", effect::synchronizes, 0},
      {"cp.async.ca.shared.global [tile], [%l0], 16", effect::writes_memory, 0},
      {"cp.async.wait_group 0", effect::synchronizes, 0},
      {"mbarrier.init.shared.b64 [tile], 1", effect::synchronizes, 0},
      {"mbarrier.arrive.shared.b64 %l0, [tile]", effect::synchronizes, 1},
      {"mbarrier.test_wait.shared.b64 %p0, [tile], %l0", effect::synchronizes, 1},
      {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [tile], 16", effect::synchronizes, 0},
      {"shfl.sync.idx.b32 %r0|%p0, %r1, 0, 31, -1", effect::convergent, 1},
      {"vote.sync.ballot.b32 %r0, %p0, -1", effect::convergent, 1},
      {"activemask.b32 %r0", effect::convergent, 1},
      {"wmma.store.d.sync.aligned.row.m8n8k4.f64 [%l0], {%l1, %l2}", effect::writes_memory, 0},
      {"nanosleep.u32 100", effect::ordered, 0},
      {"prefetch.global.L2 [%l0]", effect::ordered, 0},
      {"//tg: assume %p0", effect::ordered, 0},
      {"ret", effect::control, 0},
      {"trap", effect::control, 0},
      {"here: bra here", effect::control, 0},
  };
  for (const row& r : rows) {
    CAPTURE(r.text);
    const auto i = one(r.text);
    CHECK(effect_of(i) == r.what);
    CHECK(result_count(i) == r.results);
    CHECK(is_pure(i) == (r.what == effect::pure));
    CHECK(is_removable(i) == (r.what <= effect::convergent));
  }
}
