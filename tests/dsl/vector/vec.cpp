#include <tg/dsl/vector/vec.hpp>

#include <string>

#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/value/let.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("the parts of a vector, and functions of them") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    auto v = p.x.vec<4>(block.thread.x * 4_c);
    auto w = tg::map([](auto a, auto b) { return a + b; }, v, v);
    static_assert(decltype(w)::size == 4);
    p.y.vec<2>(block.thread.x * 2_c) = tg::make_vec(w(0_c), w(3));
  });
  CHECK(r.text.find("add.f32 add.f32 add.f32 add.f32") != std::string::npos);
  CHECK(r.text.find("st.global.v2.f32") != std::string::npos);
}

TEST_CASE("TG119 for a C++ index outside") {
  const auto part = [](int index) {
    return [index](auto block, recording::parameters p) { (void)p.x.vec<2>(block.thread.x * 2_c).get()(index); };
  };
  CHECK(recording::error_of(part(2)) == recording::at(119, __LINE__ - 2));
  CHECK(recording::error_of(part(1)) == "none");
}

TEST_CASE("numbers of C++ stand beside values in a vector, and alone") {
  const std::string text = tg::to_ptx(tg::kernel<"numbers">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y) {
    const auto a = tg::let(x(block.thread.x));
    y.vec<4>(block.thread.x * 4_c) = tg::make_vec(1.0f, a, 2.0f, a);
    y.vec<2>(block.thread.x * 2_c) = tg::make_vec(1.0f, 0.5f);
  }));
  CHECK(text.find("{0f3F800000, %f") != std::string::npos);
  CHECK(text.find("{0f3F800000, 0f3F000000}") != std::string::npos);
}
