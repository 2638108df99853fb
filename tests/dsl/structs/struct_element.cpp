#include <tg/dsl/structs/struct_element.hpp>

#include "../structs.hpp"

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/memory/access_cost.hpp>
#include <tg/dsl/memory/cache_hint.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/memory/subview.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/gather.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

using namespace structs;

/// What `statements(block, p, q, n)` are recorded as, without the loads of parameters.
template <class T, class Statements> recording::result record(Statements statements) {
  std::size_t first = 0;
  auto traced =
      tg::trace(tg::kernel<"statements">(tg::block<64>, [&](auto block, tg::in<T> p, tg::inout2<T> q, tg::scalar<unsigned> n) {
        first = tg::detail::tracer::current().recorded().fn().body.size();
        statements(block, p, q, n);
      }));
  recording::result out;
  const auto& body = traced.module.functions[0].body;
  for (std::size_t i = first; i + 1 < body.size(); ++i) out.text += (i == first ? "" : " ") + recording::text_of(body[i]);
  out.accesses = std::move(traced.accesses);
  out.module = std::move(traced.module);
  return out;
}

template <class T, class Statements> std::string message_of(Statements statements) {
  try {
    record<T>(statements);
  } catch (const tg::error& e) { return e.what(); }
  return "none";
}

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("a struct is moved whole, in one instruction where its alignment permits") {
  const auto whole = record<particle>([](auto block, auto p, auto, auto) { (void)p(block.thread.x); });
  CHECK(has(whole.text, "ld.global.nc.v4.f32"));
  REQUIRE(whole.accesses.size() == 1);
  CHECK(whole.accesses[0].global.sectors_best == 16);
  CHECK(whole.accesses[0].verdict == tg::verdict::proved);

  const auto pixel = record<rgb8>([](auto block, auto p, auto, auto) { (void)p(block.thread.x); });
  CHECK(has(pixel.text, "ld.global.nc.u8 ld.global.nc.u8 ld.global.nc.u8"));
  REQUIRE(pixel.accesses.size() == 3);
  for (int k = 0; k < 3; ++k) {
    const tg::access& a = pixel.accesses[static_cast<std::size_t>(k)];
    CHECK(a.offset_bytes == k);
    CHECK(a.element_bytes == 3);
    CHECK(a.access_bytes == 1);
    CHECK(a.global.sectors_best == 3);
    CHECK(a.global.good);
    CHECK(a.verdict == tg::verdict::proved);
  }
  // A view that promises less makes narrower pieces.
  const auto narrow = tg::trace(
      tg::kernel<"narrow">(tg::block<64>, [](auto block, tg::in<particle, tg::aligned<8>> p) { (void)p(block.thread.x); }));
  CHECK(narrow.accesses.size() == 2);
}

TEST_CASE("structs that are not neighbours are refused") {
  CHECK(has(message_of<rgb8>([](auto block, auto p, auto, auto) { (void)p(block.thread.x * 2_c); }), "TG202"));
  // Two of one line fill what each leaves.
  CHECK(message_of<rgb8>([](auto block, auto p, auto, auto) {
          const auto i = tg::let(block.thread.x * 2_c);
          (void)p(i), (void)p(i + 1_c);
        }) == "none");
  CHECK(message_of<mixed>([](auto block, auto p, auto, auto) {  // the bytes that no field is on count as used
          const auto i = tg::let(block.thread.x * 2_c);
          (void)p(i), (void)p(i + 1_c);
        }) == "none");
  CHECK(message_of<rgb8>([](auto block, auto p, auto, auto n) { (void)p(tg::min(block.thread.x, n)); }) == "none");
  CHECK(message_of<rgb8>([](auto block, auto p, auto, auto n) { (void)p(block.thread.x % n); }) == "none");
  CHECK(message_of<point>([](auto block, auto p, auto, auto n) { (void)p(block.thread.x / n); }) == "none");
  CHECK(has(message_of<point>([](auto block, auto, auto q, auto n) { (void)q(block.thread.x, n % 2u); }), "TG202"));
  CHECK(message_of<point>([](auto block, auto p, auto, auto) {
          (void)p(tg::gather(tg::cast<unsigned>(p(0_c)(&point::x)) + block.thread.x));
        }) == "none");
}

TEST_CASE("one field alone strides over the others") {
  const auto text = message_of<particle>([](auto block, auto p, auto, auto) { (void)p(block.thread.x, &particle::m); });
  CHECK(has(text, "TG202"));
  CHECK(has(text, "a warp touches 17 sectors where its bytes need 4"));
  CHECK(has(text, "it moves 4 bytes of structs of 16"));
  CHECK(has(text, "read the struct whole, p(i)"));
  CHECK(message_of<particle>([](auto block, auto p, auto, auto) {  // all four, in one line of statements
          const auto i = block.thread.x;
          (void)p(i, &particle::x), (void)p(i, &particle::y), (void)p(i, &particle::z), (void)p(i, &particle::m);
        }) == "none");
  CHECK(has(message_of<particle>([](auto block, auto p, auto, auto) {
              const auto i = block.thread.x;
              (void)p(i, &particle::x), (void)p(i, &particle::y), (void)p(i, &particle::z);
            }),
            "it and 2 more of the view together do not use them in full"));
  // Fields of several sizes fill a struct together too.
  CHECK(message_of<split64>([](auto block, auto p, auto, auto) {
          const auto i = block.thread.x;
          (void)p(i, &split64::a), (void)p(i, &split64::b), (void)p(i, &split64::c);
        }) == "none");
  CHECK(message_of<particle>([](auto, auto p, auto, auto n) { (void)p(n, &particle::m); }) == "none");  // one for all lanes
  CHECK(message_of<particle>([](auto block, auto p, auto, auto) {
          (void)p(block.thread.x, &particle::m, tg::allow<tg::TG202>("a test"));
        }) == "none");
  CHECK(message_of<nested>([](auto, auto p, auto, auto n) { (void)p(n, &nested::p)(&point::y); }) == "none");
  CHECK(message_of<nested>([](auto, auto p, auto, auto n) { (void)p(n, &nested::v)[1]; }) == "none");
}

TEST_CASE("a field that is stored touches no other") {
  const auto found = record<particle>([](auto, auto, auto q, auto n) {
    q(n, 0_c, &particle::z) = 2.0f;
    q(n, 1_c, &particle::x) += 1.0f;
  });
  CHECK(has(found.text, "st.global.f32"));
  CHECK_FALSE(has(found.text, "v4"));
}

TEST_CASE("structs in shared memory") {
  CHECK(message_of<particle>([](auto block, auto p, auto, auto) {
          const auto tile = tg::shared<particle>(tg::shape<64>);
          tile(block.thread.x) = p(block.thread.x);
          tile(block.thread.x) = tile(63_c - block.thread.x);
        }) == "none");
  const auto found = record<point>([](auto block, auto p, auto, auto) {
    const auto tile = tg::shared<point>(tg::shape<64>);
    tile(block.thread.x) = p(block.thread.x);
  });
  for (const tg::access& a : found.accesses)
    if (a.is_shared) CHECK(a.shared.wavefronts == 1);
  CHECK(message_of<rgb8>([](auto block, auto p, auto, auto n) {
          const auto tile = tg::shared<rgb8>(n);
          tile(block.thread.x) = p(block.thread.x);
          (void)tile(tg::gather(tg::cast<unsigned>(tile(block.thread.x)(&rgb8::r))));
        }) == "none");
  CHECK(message_of<complex<float>>([](auto block, auto p, auto, auto) {
          const auto tile = tg::shared<complex<float>>(tg::shape<8, 64>, tg::swizzle<3, 0, 6>);
          tile(1_c, block.thread.x) = p(block.thread.x) * p(block.thread.x);
        }) == "none");
  const auto field = message_of<particle>([](auto block, auto, auto, auto) {
    const auto tile = tg::shared<particle>(tg::shape<64>);
    (void)tile(block.thread.x, &particle::y);
  });
  CHECK(has(field, "TG201"));
  CHECK(has(field, "4 ways, 4 wavefronts where 1 would do; it moves 4 bytes of structs of 16"));
  CHECK(has(message_of<wide>([](auto block, auto, auto, auto) {
              const auto tile = tg::shared<wide>(tg::shape<64>);
              unsigned step = 1;
              (void)tile(block.thread.x * step);
            }),
            "TG201"));
  CHECK(message_of<particle>([](auto, auto, auto, auto n) {
          const auto tile = tg::shared<particle>(tg::shape<64>);
          (void)tile(n, &particle::y);
        }) == "none");
}

TEST_CASE("all fields of an element by position") {
  record<complex<float>>([](auto block, auto p, auto, auto) {
    const auto e = p(block.thread.x);
    const auto [re, im] = e;
    CHECK(re.operand == e.re.operand);
    CHECK(im.operand == e.im.operand);
  });
  record<particle>([](auto block, auto p, auto, auto) {
    const auto e = p(block.thread.x);
    const auto [x, y, z, m] = e;
    CHECK(x.operand == e(&particle::x).operand);
    CHECK(m.operand == e(&particle::m).operand);
    (void)y, (void)z;
  });
}

TEST_CASE("cache hints, asynchronous copies and guarded reads of structs") {
  const auto hinted = record<particle>([](auto block, auto p, auto q, auto) {
    tg::store<tg::evict_first>(q(0_c, block.thread.x), tg::load<tg::no_allocate>(p(block.thread.x)));
  });
  CHECK(has(hinted.text, "ld.global.L1::no_allocate.nc.v4.f32"));
  CHECK(has(hinted.text, "st.global.L1::evict_first.v4.f32"));
  const auto copied = record<particle>([](auto block, auto p, auto, auto) {
    const auto tile = tg::shared<particle>(tg::shape<64>);
    tg::async_copy(tile(block.thread.x), p(block.thread.x));
  });
  CHECK(has(copied.text, "cp.async.cg.shared.global"));
  const auto guarded = tg::lower(tg::kernel<"guarded">(tg::block<64>, [](auto block, tg::in<particle> p, tg::out<float> y,
                                                                         tg::scalar<unsigned> n) {
                         y(block.thread.x) = tg::select(block.thread.x < n, p(block.thread.x)(&particle::y), 0.0f);
                       })).ptx;
  CHECK(guarded.find("bra $L0") < guarded.find("ld.global.nc.v4.f32"));
}

TEST_CASE("elements of parts") {
  CHECK(message_of<point>([](auto block, auto, auto q, auto n) { (void)tg::row(q, n)(block.thread.x); }) == "none");
  CHECK(message_of<point>([](auto, auto, auto q, auto n) { (void)tg::row(q, n)(n, &point::y); }) == "none");
}

TEST_CASE("what a struct costs is counted by instruction") {
  const auto cost = tg::cost(tg::kernel<"pixels">(
      tg::block<32>, [](auto block, tg::in<rgb8> p, tg::out<rgb8> q) { q(block.thread.x) = p(block.thread.x); }));
  CHECK(cost.global_requests == 6);
  CHECK(cost.sectors_best == 18);
  CHECK(cost.bytes == 6 * 32);
  using view = tg::in<rgb8>;
  using tile = tg::tile<point, tg::shape_t<64>, void*>;
  using lane = tg::index::single<tg::index::thread<'x', 64, 1, 1>>;
  static_assert(tg::access_cost<view, tg::value<unsigned, lane>>.good);
  static_assert(tg::access_cost<view, tg::value<unsigned, lane>>.sectors_best == 3);
  static_assert(tg::access_cost<tile, tg::value<unsigned, lane>>.wavefronts == 3);
  static_assert(tg::access_cost<tile, tg::value<unsigned, lane>>.ideal_wavefronts == 3);
}

TEST_CASE("proofs see the bytes of structs") {
  const auto kernel = [](bool waits) {
    return tg::kernel<"turn">(tg::block<64>, [waits](auto block, tg::in<point> p, tg::out<point> q) {
      const auto tile = tg::shared<point>(tg::shape<64>);
      tile(block.thread.x) = p(block.thread.x);
      if (waits) block.sync();
      q(block.thread.x) = tile(63_c - block.thread.x);
    });
  };
  CHECK(tg::analyze(kernel(true)).race_free());
  CHECK_FALSE(tg::analyze(kernel(false)).refuted().empty());
  // Threads that write different fields of one struct do not race.
  const auto fields = tg::analyze(tg::kernel<"fields">(tg::block<64>, [](auto block, tg::out<particle> q) {
    tg::if_(block.thread.x == 0u, [&] { q(block.index.x, &particle::x) = 1.0f; });
    tg::if_(block.thread.x == 1u, [&] { q(block.index.x, &particle::y) = 1.0f; });
  }));
  CHECK(fields.race_free());
  const auto both = tg::analyze(tg::kernel<"both">(tg::block<64>, [](auto block, tg::out<particle> q) {
    tg::if_(block.thread.x == 0u, [&] { q(block.index.x, &particle::x) = 1.0f; });
    tg::if_(block.thread.x == 1u, [&] { q(block.index.x) = tg::make_struct<particle>(1.0f, 2.0f, 3.0f, 4.0f); });
  }));
  CHECK_FALSE(both.refuted().empty());
}
