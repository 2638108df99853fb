#include <tg/dsl/memory/store_first.hpp>

#include <algorithm>

#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

/// The first n elements of y become those of x, N at a time; nothing past the end of y is written.
template <class T, int N, bool Signed> void check() {
  using view = tg::out<T>;
  const auto kernel = tg::lower(tg::kernel<"rows">(tg::block<32>, [](auto block, tg::in<T> x, view y, tg::scalar<unsigned> n) {
    const auto i = tg::let(block.global_index() * tg::constant<N>{});
    const auto v = tg::vec_at<N>(x, i).get();
    if constexpr (Signed) tg::store_first(tg::vec_at<N>(y, i), v, tg::cast<int>(n) - tg::cast<int>(i));
    else tg::store_first(tg::vec_at<N>(y, i), v, n - tg::min(i, n));
  }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  for (const auto& a : kernel.accesses) CHECK(a.verdict == tg::verdict::proved);
  for (const unsigned n : {1u, N - 1u, N + 0u, N + 1u, 67u, 32u * N - 1, 32u * N, 32u * N + 1, 128u * N}) {
    std::vector<T> x(128 * N), y(n);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(static_cast<float>(i % 100 + 1));
    word::launch(kernel.ptx, 4, x, y, n);
    INFO(N, " of ", sizeof(T), " bytes, n ", n);
    CHECK(std::equal(y.begin(), y.end(), x.begin()));
  }
}

}  // namespace

TEST_CASE("as many elements as there are are stored, and no byte past the end") {
  check<float, 4, false>();
  check<float, 2, true>();
  check<double, 2, true>();
  check<tg::bf16, 8, false>();
  check<std::uint8_t, 8, true>();
}

TEST_CASE("whole vectors are one store, the last ones single elements on the other path") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    tg::store_first(p.y.template vec<4>(block.thread.x * 4_c), tg::make_vec(p.a, p.a, p.a, p.a), p.n);
  });
  CHECK(r.text.find("st.global.v4.f32") < r.text.find("else"));
  CHECK(r.text.find("else") < r.text.find("st.global.f32"));
  std::vector<int> stored;
  for (const auto& a : r.accesses)
    if (a.is_write) stored.push_back(a.access_bytes);
  CHECK(stored == std::vector<int>{16, 4, 4, 4});
}
