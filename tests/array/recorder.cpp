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
  CHECK(count(text, "setp.neu.f32") == 16);  // one exp for each of the elements that a lane holds
  CHECK(count(text, "bar.sync") == 0);
  CHECK(count(text, "shfl") == 10);
}
