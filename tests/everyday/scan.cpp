// An inclusive sum over any number of elements in one pass: each block publishes its sum, and looks back at the sums of
// those before it until one has published its prefix.
#include "checked.hpp"

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_words;

namespace {

constexpr unsigned own_sum = 1, whole_prefix = 2;  // what stands in the upper half of a block's state; 0: nothing yet

inline constexpr auto scan = tg::kernel<"look_back_scan">(
    tg::block<128>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::inout<unsigned> tickets,
                       tg::inout<unsigned long long> states, tg::scalar<unsigned> n) {
      auto shared = tg::shared<unsigned>(tg::shape<2>);
      const auto t = block.thread.x;
      // Blocks start in any order; a ticket makes sure that those before this one have started.
      tg::if_(t == 0u, [&] { shared(0_c) = tg::atomic_add(tickets(0_c), 1u); });
      block.sync();
      const auto part = tg::assume_uniform(shared(0_c));
      const auto i = tg::let(part * 128u + t);
      const auto own = tg::let(i < n && [&] { return x(i) != 0u; });
      tg::var<unsigned> value = 0u;
      tg::if_(own, [&] { value = x(i); });
      const auto scanned = tg::block_scan_sum(block, value);

      const auto state = [](unsigned what, const auto& sum) {
        return tg::cast<unsigned long long>(sum) | (static_cast<unsigned long long>(what) << 32);
      };
      tg::if_(t == 0u, [&] {
        tg::if_(part == 0u, [&] {
          tg::atomic_store<tg::order::release>(states(part), state(whole_prefix, scanned.total));
          shared(1_c) = 0u;
        }).else_([&] {
          tg::atomic_store<tg::order::release>(states(part), state(own_sum, scanned.total));
          tg::var<unsigned> before = 0u;
          tg::var<unsigned> j = part;
          tg::while_([&] { return j > 0u; },
                     [&] {
                       const auto seen = tg::atomic_load<tg::order::acquire>(states(tg::gather(j - 1u)));
                       const auto what = tg::let(tg::cast<unsigned>(seen >> 32u));
                       tg::if_(what != 0u, [&] {
                         before += tg::cast<unsigned>(seen);
                         j -= 1u;
                         tg::if_(what == whole_prefix, [&] { j = 0u; });
                       });
                     });
          tg::atomic_store<tg::order::release>(states(part), state(whole_prefix, before + scanned.total));
          shared(1_c) = before;
        });
      });
      block.sync();
      tg::if_(i < n, [&] { y(i) = shared(1_c) + scanned.through; });
    });

}  // namespace

TEST_CASE("a scan in one pass, in any order of the blocks") {
  for (const unsigned n : {1u, 127u, 128u, 129u, 256u, 1009u, 10007u})
    for (const unsigned seed : {0u, 1u, 2u}) {
      CAPTURE(n);
      CAPTURE(seed);
      checked_device on(seed);
      const auto hx = random_words(n, 1000, n);
      const auto x = on.gpu.upload(hx);
      auto y = on.gpu.upload(std::vector<unsigned>(n, 0xdeadbeef));
      auto tickets = on.gpu.zeros<unsigned>(1);
      auto states = on.gpu.zeros<unsigned long long>((n + 127) / 128);
      on.gpu.launch(scan, tg::cover(n), x, y, tickets, states, n);
      const auto out = y.to_host();
      unsigned sum = 0;
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; ++i) wrong += out[i] != (sum += hx[i]);
      CHECK(wrong == 0);
    }
}
