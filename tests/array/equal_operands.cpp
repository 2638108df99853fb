#include <tg/array/equal_operands.hpp>

#include <tg/array.hpp>
#include <tg/dsl/cost/cost.hpp>

#include "arrays.hpp"

namespace {

template <class X> std::uint64_t bytes_read(const tg::array<float, 2>& like, const X& x) {
  tg::array<float, 2> y = like;
  const auto kernel = tg::kernel_of(tg::into(y) = x);
  return 32 * tg::cost(kernel, static_cast<std::uint64_t>(kernel.blocks())).sectors;
}

}  // namespace

TEST_CASE("an array and a reduction that are written twice are read and computed once") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {64, 128}, arrays::counted(64 * 128)), z(gpu, {64, 128}, arrays::counted(64 * 128));
  CHECK(bytes_read(x, x * x) == bytes_read(x, x * 2.0f));
  CHECK(bytes_read(x, x * z) > bytes_read(x, x * x));
  const auto largest = [](const auto& of) { return tg::max<1>(of, tg::keep); };
  CHECK(bytes_read(x, x - largest(x) / largest(x)) == bytes_read(x, x - largest(x)));
}
