#include <tg/dsl/matrix/fragment.hpp>

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/unroll.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

using a = tg::a_fragment<16, 16, tg::bf16>;
using b = tg::b_fragment<16, 8, tg::bf16>;
using c = tg::accumulator<16, 8, float>;

}  // namespace

static_assert(a::registers == 4 && a::elements == 8 && b::registers == 2 && c::registers == 4);
static_assert(tg::a_fragment<16, 32, tg::f8e5m2>::registers == 4 && tg::b_fragment<64, 8, tg::s4>::registers == 2);
static_assert(tg::a_fragment<16, 16, double>::registers == 8 && tg::accumulator<16, 8, tg::f16>::registers == 2);
static_assert(a::place(5, 6) == tg::matrix_place{9, 10} && b::place(5, 3) == tg::matrix_place{11, 1});
static_assert(c::place(31, 3) == tg::matrix_place{15, 7});

TEST_CASE("sums are registers that are read and assigned") {
  CHECK(recording::of<tg::block_t<32>>([](auto, recording::parameters p) {
          c sums = 0.0f;
          sums(3) = sums(1_c) * p.a;
          tg::if_(p.n < 3, [&] { (void)(p.a + p.a); });
        }).text == "mov.f32 mov.f32 mov.f32 mov.f32 mov.f32 mul.f32 setp.lt.u32 mov.f32 <if> add.f32 <endif>");
}

template <class Fragment> void check_places() {
  std::vector<unsigned> x(32), y(64);
  tg::unroll<Fragment::elements>([&](auto e) {
    const auto kernel =
        tg::kernel<"places">(tg::block<32>, [](auto block, tg::in<unsigned>, tg::out<unsigned> y, tg::scalar<unsigned>) {
          const auto lane = block.warp().lane;
          const auto at = Fragment::place_of(lane, decltype(e){});
          static_assert(tg::index::is_known_form<typename decltype(at.row + at.column)::form>);
          y(lane) = at.row + 0u;
          y(lane + 32_c) = at.column + 0u;
        });
    accuracy::run(tg::lower(kernel).ptx, x.data(), 128, y.data(), 256, 32);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto want = Fragment::place(static_cast<int>(lane), static_cast<int>(e));
      CHECK(static_cast<int>(y[lane]) == want.row);
      CHECK(static_cast<int>(y[lane + 32]) == want.column);
    }
  });
}

TEST_CASE("places in a kernel are those on the host, and known to the compiler") {
  check_places<a>();
  check_places<b>();
  check_places<c>();
  check_places<tg::a_fragment<16, 8, tg::tf32>>();
}

TEST_CASE("an operand is made of registers") {
  recording::of<tg::block_t<32>>([](auto, recording::parameters p) {
    auto one = tg::b_fragment<8, 8, tg::f16>::unfilled();
    one.parts.parts[0] = p.n.get().operand;
    static_assert(std::is_same_v<decltype(one(0_c)), tg::value<unsigned>>);
    CHECK(one(0).operand == p.n.get().operand);
  });
}
