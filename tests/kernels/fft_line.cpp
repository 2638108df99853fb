#include <kernels/fft_line.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace tg::kernels;

namespace {

template <unsigned N> auto roots() { return detail::make_fft_roots<fft_root<N>, N>(); }

template <unsigned N> bool has_all_roots() { return roots<N>().size() == detail::fft_root_count<N>; }

}  // namespace

TEST_CASE("roots are as many as a kernel asks for, and those of another length are another type") {
  static_assert(!std::is_convertible_v<fft_root<64>, fft_root<128>>);
  static_assert(sizeof(fft_root<64>) == 8);
  CHECK(has_all_roots<2>());
  CHECK(has_all_roots<16>());
  CHECK(has_all_roots<32>());
  CHECK(has_all_roots<64>());
  CHECK(has_all_roots<128>());
  CHECK(has_all_roots<2048>());
  CHECK(has_all_roots<4096>());
}

TEST_CASE("each root is on the circle; those of short lines begin with as many ones as there are others") {
  for (const auto& root : roots<512>()) {
    const double squares = double{root.cosine} * root.cosine + double{root.sine} * root.sine;
    CHECK(std::abs(squares - 1) <= 4 * 0x1p-24);
  }
  const auto four = roots<4>();
  CHECK(four[2].cosine == 1);
  CHECK(four[3].cosine == 1);
  CHECK(four[4].cosine == 1);
  CHECK(std::abs(four[5].cosine) < 1e-16f);
  CHECK(four[5].sine == -1);
}

TEST_CASE("lines of a block: as many as its threads have numbers for, four each") {
  static_assert(fft_lines<2> == 512 && fft_lines<64> == 16 && fft_lines<4096> == 1 && fft_threads<4096> == 1024);
}
