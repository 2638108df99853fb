#include <tg/dsl/memory/scoped_atomic.hpp>

#include "../recording.hpp"
#include "../word.hpp"

namespace {

using tg::literals::operator""_c;

template <class F> std::string last(F f) {
  const std::string text = recording::of([&](auto, auto p) { f(p); }).text;
  return text.substr(text.rfind(' ') + 1);
}

}  // namespace

TEST_CASE("an atomic carries its order and scope") {
  using tg::order, tg::scope;
  CHECK(last([](auto p) { tg::atomic_add<order::release, scope::system>(p.u(0_c), 1u); }) == "atom.release.sys.global.add.u32");
  CHECK(last([](auto p) { tg::atomic_add<order::acq_rel>(p.y(0_c), p.a); }) == "atom.acq_rel.gpu.global.add.f32");
  CHECK(last([](auto p) { tg::atomic_min<order::relaxed, scope::block>(p.u(0_c), p.n); }) == "atom.relaxed.cta.global.min.u32");
  CHECK(last([](auto p) { tg::atomic_max<order::acquire>(p.u(0_c), p.n); }) == "atom.acquire.gpu.global.max.u32");
  CHECK(last([](auto p) { tg::atomic_and<order::acquire>(p.u(0_c), p.n); }) == "atom.acquire.gpu.global.and.b32");
  CHECK(last([](auto p) { tg::atomic_or<order::acquire>(p.u(0_c), p.n); }) == "atom.acquire.gpu.global.or.b32");
  CHECK(last([](auto p) { tg::atomic_xor<order::acquire>(p.u(0_c), p.n); }) == "atom.acquire.gpu.global.xor.b32");
  CHECK(last([](auto p) { tg::atomic_exchange<order::release>(p.u(0_c), p.n); }) == "atom.release.gpu.global.exch.b32");
  CHECK(last([](auto p) { tg::atomic_compare_exchange<order::acq_rel>(p.u(0_c), 1, p.n); }) ==
        "atom.acq_rel.gpu.global.cas.b32");
  CHECK(last([](auto p) { tg::atomic_increment(p.u(0_c), p.n); }) == "atom.relaxed.gpu.global.inc.u32");
  CHECK(last([](auto p) { tg::atomic_decrement<order::release>(p.u(0_c), p.n); }) == "atom.release.gpu.global.dec.u32");
}

TEST_CASE("atomics of every type and order assemble") {
  const auto kernel = tg::lower(
      tg::kernel<"every">(tg::block<32>, [](auto, tg::inout<int> i, tg::inout<unsigned> u, tg::inout<long long> l,
                                            tg::inout<unsigned long long> w, tg::inout<float> f, tg::inout<double> d) {
        const auto each = [&]<tg::order O, tg::scope S>() {
          const auto words = [&](auto x, auto one) {
            tg::atomic_add<O, S>(x(), one), tg::atomic_min<O, S>(x(), one), tg::atomic_max<O, S>(x(), one);
            tg::atomic_and<O, S>(x(), one), tg::atomic_or<O, S>(x(), one), tg::atomic_xor<O, S>(x(), one);
            tg::atomic_exchange<O, S>(x(), one), tg::atomic_compare_exchange<O, S>(x(), one, one);
          };
          words([&] { return i(0_c); }, 1);
          words([&] { return u(0_c); }, 1u);
          words([&] { return l(0_c); }, 1ll);
          words([&] { return w(0_c); }, 1ull);
          tg::atomic_increment<O, S>(u(0_c), 7u), tg::atomic_decrement<O, S>(u(0_c), 7u);
          tg::atomic_add<O, S>(f(0_c), 1.0f), tg::atomic_exchange<O, S>(f(0_c), 1.0f);
          tg::atomic_compare_exchange<O, S>(f(0_c), 1.0f, 2.0f), tg::atomic_compare_exchange<O, S>(d(0_c), 1.0, 2.0);
          tg::atomic_add<O, S>(d(0_c), 1.0), tg::atomic_exchange<O, S>(d(0_c), 1.0);
        };
        each.template operator()<tg::order::relaxed, tg::scope::block>();
        each.template operator()<tg::order::acquire, tg::scope::gpu>();
        each.template operator()<tg::order::release, tg::scope::system>();
        each.template operator()<tg::order::acq_rel, tg::scope::gpu>();
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
}

TEST_CASE("a counter that wraps is back where it was after a round") {
  const auto kernel =
      tg::lower(tg::kernel<"rounds">(tg::block<32>, [](auto block, tg::inout<unsigned> count, tg::out<unsigned> seen) {
        seen(block.global_index()) = tg::atomic_increment(count(0_c), 31u);
        tg::atomic_decrement(count(1_c), 31u);
      }));
  std::vector<unsigned> count(2), seen(32);
  word::launch(kernel.ptx, 1, count, seen);
  CHECK(count == std::vector<unsigned>(2));
  std::sort(seen.begin(), seen.end());
  for (unsigned i = 0; i < 32; ++i) CHECK(seen[i] == i);
}
