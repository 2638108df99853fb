#include <tg/array/recorder.hpp>

#include <string>

#include <tg/dsl/kernel/to_ptx.hpp>

#include "arrays.hpp"

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++out;
  return out;
}

}  // namespace

TEST_CASE("an element-wise kernel is a load for each array, the arithmetic and a store") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, {1024}), z(gpu, {1024});
  tg::array<float, 1> y(gpu, {1024});
  const std::string text = tg::to_ptx(tg::kernel_of(tg::into(y) = x * 2.0f + z * x));
  CHECK(count(text, "ld.global.nc.v4.f32") == 2);
  CHECK(count(text, "ld.global") == 2);
  CHECK(count(text, "st.global.v4.f32") == 1);
  CHECK(count(text, "st.global") == 1);
  CHECK(count(text, "bra") == 1);
  // What is written is not read through the path for constants.
  CHECK(count(tg::to_ptx(tg::kernel_of(tg::into(y) = y + x)), ".nc.") == 1);
}

TEST_CASE("a reduction in registers reads its row once, and computes what passes share once") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2000, 512});
  tg::array<float, 2> y(gpu, {2000, 512});
  const std::string text = tg::to_ptx(tg::kernel_of(tg::into(y) = tg::softmax<1>(x)));
  CHECK(count(text, "ld.global") == 4);
  CHECK(count(text, "ex2.approx") == 16);  // one exp for each of the elements that a lane holds
  CHECK(count(text, "bar.sync") == 0);
  CHECK(count(text, "shfl") == 10);
}

TEST_CASE("a number that stands in a tree twice is one parameter, and what is computed with it is computed once") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2000, 512});
  tg::array<float, 2> y(gpu, {2000, 512});
  const std::string scaled = tg::to_ptx(tg::kernel_of(tg::into(y) = tg::softmax<1>(x * 0.125f)));
  CHECK(count(scaled, "ex2.approx") == 16);
  CHECK(count(scaled, ".param .f32") == 1);
  const auto masked = tg::where(tg::index_of<0>(x) >= tg::index_of<1>(x), x * 0.125f, -1e30f);
  CHECK(count(tg::to_ptx(tg::kernel_of(tg::into(y) = tg::softmax<1>(masked))), "ex2.approx") == 16);
  const auto half = x * 0.5f;
  const std::string shared = tg::to_ptx(tg::kernel_of(tg::into(y) = half * half));
  CHECK(count(shared, ".param .f32") == 1);
  CHECK(count(shared, "mul.f32") == 8);
  const std::string apart = tg::to_ptx(tg::kernel_of(tg::into(y) = (x * 0.5f) * (x * 0.5f)));  // of the same type
  CHECK(count(apart, ".param .f32") == 2);
  CHECK(count(apart, "mul.f32") == 12);
}
