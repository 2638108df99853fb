#include <tg/emulator/async/reduce.hpp>

#include <doctest/doctest.h>

#include <limits>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Combines 50 elements of `in` with as many of `there` by one bulk reduction, two threads one half each.
template <class T> std::vector<T> reduced(const std::string& how, const std::vector<T>& in, const std::vector<T>& there) {
  constexpr std::size_t count = 64;
  const std::string bytes = std::to_string(count * sizeof(T));
  bench b(kernel_text(".shared .align 128 .b8 tile[" + bytes +
                      "]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, " + std::to_string(sizeof(T)) +
                      ", %r1; mul.wide.u32 %rd4, %r0, " + std::to_string(sizeof(T)) + "; add.u64 %rd4, %rd4, %rd0;" +
                      "ld.global.b" + std::to_string(8 * sizeof(T)) +
                      (sizeof(T) == 8   ? " %rd5"
                       : sizeof(T) == 4 ? " %r5"
                                        : " %h5") +
                      ", [%rd4]; st.shared.b" + std::to_string(8 * sizeof(T)) + " [%r1], " +
                      (sizeof(T) == 8   ? "%rd5"
                       : sizeof(T) == 4 ? "%r5"
                                        : "%h5") +
                      "; fence.proxy.async.shared::cta; bar.sync 0; setp.ne.u32 %p0, %r0, 0; @%p0 bra end;"
                      "cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                      how + " [%rd1], [tile], " + bytes + "; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; end:"));
  std::vector<T> a = in, c = there;
  a.resize(count, in.back());
  c.resize(count, there.back());
  const std::uint64_t from = b.upload(a), to = b.upload(c);
  b.run({{1}, {count}}, {from, to});
  auto got = b.download<T>(to, count);
  CHECK_EQ(got[count - 1], got[in.size() - 1]);
  got.resize(in.size());
  return got;
}

}  // namespace

TEST_CASE("reductions of every width and kind of number") {
  using f16 = std::uint16_t;
  CHECK(reduced<float>("add.f32", {1.5f, -2, 1e30f}, {2, 2, 1e30f}) == std::vector<float>{3.5f, 0, 2e30f});
  CHECK(reduced<double>("add.f64", {1.5, 1e300}, {0.25, -1e300}) == std::vector<double>{1.75, 0});
  CHECK(reduced<std::int64_t>("min.s64", {-5, 7}, {3, 9}) == std::vector<std::int64_t>{-5, 7});
  CHECK(reduced<std::uint64_t>("max.u64", {~0ull, 7}, {3, 9}) == std::vector<std::uint64_t>{~0ull, 9});
  CHECK(reduced<std::int32_t>("min.s32", {-5, 7}, {3, 4}) == std::vector<std::int32_t>{-5, 4});
  CHECK(reduced<std::uint64_t>("xor.b64", {0xff00ff00ff00ff00, 1}, {~0ull, 1}) ==
        std::vector<std::uint64_t>{0x00ff00ff00ff00ff, 0});
  // 1 + 2, and 2048 + 1, which rounds to even.
  CHECK(reduced<f16>("add.noftz.f16", {0x3c00, 0x6800}, {0x4000, 0x3c00}) == std::vector<f16>{0x4200, 0x6800});
  CHECK(reduced<f16>("min.f16", {0xbc00, 0x4000}, {0x3c00, 0x3c00}) == std::vector<f16>{0xbc00, 0x3c00});
  CHECK(reduced<f16>("add.noftz.bf16", {0x3f80, 0x4000}, {0x3f80, 0xc000}) == std::vector<f16>{0x4000, 0x0000});
  CHECK(reduced<f16>("max.bf16", {0xbf80, 0x4000}, {0x3f80, 0x3f80}) == std::vector<f16>{0x3f80, 0x4000});
}
