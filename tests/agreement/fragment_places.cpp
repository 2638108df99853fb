// What lies where in the fragments of mma.sync: the derived layouts against the ISA's figures, which a CUDA C++ program
// draws.
#include <tests/agreement/kernels_of.hpp>

#include <tg/dsl/matrix/mma_sparse.hpp>

namespace {

using s8 = signed char;
using place = tg::matrix_place;

/// Where the elements of a fragment are, lanes beside each other, after those of the fragments before it.
template <class... Fragment, class Place> std::vector<place> all_places(Place at) {
  std::vector<place> out;
  const auto add = [&]<class F>(std::type_identity<F>) {
    for (int e = 0; e < F::elements; ++e)
      for (int lane = 0; lane < 32; ++lane) out.push_back(at(F::layout, lane, e, F::place(lane, e)));
  };
  (add(std::type_identity<Fragment>{}), ...);
  return out;
}

std::vector<place> drawn(const std::string& kernel, std::size_t count) {
  static agreement::kernels_of figures(agreement::nvcc_text("fragments"));
  std::vector<place> out(count);
  figures(kernel, out);
  return out;
}

template <class... Fragment> void check(const std::string& kernel) {
  CAPTURE(kernel);
  const auto own = all_places<Fragment...>([](const auto&, int, int, place p) { return p; });
  const auto figure = drawn(kernel, own.size());
  CHECK(own == figure);
}

/// Where the metadata of sparse operands are; -1 where nobody looks at a lane.
template <class... Metadata> void check_metadata(const std::string& kernel) {
  CAPTURE(kernel);
  std::vector<place> own;
  const auto add = [&](const tg::metadata_layout& layout) {
    for (int e = 0; e < layout.elements; ++e)
      for (int lane = 0; lane < 32; ++lane) {
        const auto at = layout.is_held(lane) ? layout.at(lane, e) : tg::fragment_place{-1, -1};
        own.push_back({at.line, at.step});
      }
  };
  (add(Metadata::layout), ...);
  CHECK(own == drawn(kernel, own.size()));
}

/// How many places of a fragment of 16 lines a defect in its layout moves.
template <class Fragment, class Defect> long long moved(const std::string& kernel, std::size_t first, Defect defect) {
  const auto wrong = all_places<Fragment>([&](tg::fragment_layout layout, int lane, int e, place) {
    defect(layout);
    const auto at = layout.at(lane, e);
    return place{at.line, at.step};
  });
  constexpr std::size_t figures_of_kernel = 18 * 32;
  const auto figure = drawn(kernel, figures_of_kernel);
  long long out = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) out += !(wrong[i] == figure[first + i]);
  return out;
}

template <int K, class T> using a = tg::a_fragment<16, K, T>;
template <int K, class T> using a8 = tg::a_fragment<8, K, T>;
template <int K, class T> using b = tg::b_fragment<K, 8, T>;

}  // namespace

TEST_CASE("fragments hold what the figures show") {
  check<a<8, tg::f16>, a<16, tg::f16>, b<8, tg::f16>, b<16, tg::f16>>("places_of_16_bits");
  check<a<8, tg::bf16>, a<16, tg::bf16>, b<8, tg::bf16>, b<16, tg::bf16>>("places_of_16_bits");
  check<a<4, tg::tf32>, a<8, tg::tf32>, b<4, tg::tf32>, b<8, tg::tf32>>("places_of_32_bits");
  check<a8<16, s8>, a<16, s8>, a<32, s8>, b<16, s8>, b<32, s8>>("places_of_8_bits");
  check<a8<16, s8>, a<16, tg::f8e4m3>, a<32, tg::f8e5m2>, b<16, tg::f8e5m2>, b<32, tg::f8e4m3>>("places_of_8_bits");
  check<a8<32, tg::s4>, a<32, tg::u4>, a<64, tg::s4>, b<32, tg::s4>, b<64, tg::u4>>("places_of_4_bits");
  check<a8<128, tg::b1>, a<128, tg::b1>, a<256, tg::b1>, b<128, tg::b1>, b<256, tg::b1>>("places_of_1_bit");
  check<a8<4, double>, a<4, double>, a<8, double>, a<16, double>, b<4, double>, b<8, double>, b<16, double>>(
      "places_of_doubles");
  check<tg::accumulator<8, 8, int>, tg::accumulator<16, 8, float>>("places_of_sums");
  check<tg::accumulator<8, 8, double>, tg::accumulator<16, 8, tg::f16>>("places_of_sums");
}

TEST_CASE("metadata describe what the figures show") {
  using tg::sparse_metadata;
  check_metadata<sparse_metadata<16, tg::f16, 0>, sparse_metadata<16, tg::f16, 1>, sparse_metadata<16, tg::bf16, 2>,
                 sparse_metadata<16, tg::bf16, 3>, sparse_metadata<32, tg::f16, 0>, sparse_metadata<32, tg::bf16, 1>>(
      "places_of_wide_metadata");
  check_metadata<sparse_metadata<8, tg::tf32, 0>, sparse_metadata<8, tg::tf32, 1>, sparse_metadata<8, tg::tf32, 2>,
                 sparse_metadata<8, tg::tf32, 3>, sparse_metadata<16, tg::tf32, 0>, sparse_metadata<16, tg::tf32, 1>>(
      "places_of_wide_metadata");
  check_metadata<sparse_metadata<32, s8, 0>, sparse_metadata<32, s8, 1>, sparse_metadata<64, s8>>("places_of_narrow_metadata");
  check_metadata<sparse_metadata<64, tg::s4, 0>, sparse_metadata<64, tg::u4, 1>, sparse_metadata<128, tg::s4>>(
      "places_of_narrow_metadata");
}

TEST_CASE("a layout with two registers or two digits exchanged is not the figure's") {
  const auto none = [](tg::fragment_layout&) {};
  const auto registers = [](tg::fragment_layout& l) { std::swap(l.element[1], l.element[2]); };
  const auto rows = [](tg::fragment_layout& l) { l.element[1].line = 4; };
  const auto lanes = [](tg::fragment_layout& l) { std::swap(l.lane[0], l.lane[1]); };
  constexpr std::size_t after_small = 4 * 32;
  CHECK(moved<a<16, tg::f16>>("places_of_16_bits", after_small, none) == 0);
  CHECK(moved<a<16, tg::f16>>("places_of_16_bits", after_small, registers) == 128);
  CHECK(moved<a<16, tg::f16>>("places_of_16_bits", after_small, rows) == 128);
  CHECK(moved<a<16, tg::f16>>("places_of_16_bits", after_small, lanes) > 200);
  CHECK(moved<a<8, tg::tf32>>("places_of_32_bits", 2 * 32, registers) == 64);
}
