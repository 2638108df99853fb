// Launches of kernels that have no row in the registry, of sizes that are small and fill their blocks.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <tg/tg.hpp>

namespace examples {

/// One launch: every view has room for `rows` rows of `columns` elements, scalars take the numbers in their order.
struct kernel_run {
  std::string_view kernel;
  std::array<int, 3> blocks;
  std::size_t rows, columns;
  std::vector<double> scalars;
};

/// The launch of a kernel of this name; none where there is no kernel of this name.
inline std::optional<kernel_run> find_run(std::string_view kernel) {
  static const std::vector<kernel_run> runs{
      {"attention", {2, 1, 1}, 128, 128, {128, 128, 1, 0.09}}, {"q4k_matvec", {1, 1, 1}, 4, 512, {4, 512}},
      {"quantize_q8_1", {1, 1, 1}, 1, 1024, {1024}},           {"sgemm", {1, 2, 1}, 256, 256, {256, 256, 64, 1, 0.5}},
      {"blur_horizontal", {2, 4, 1}, 16, 192, {64, 16, 1}},    {"blur_vertical", {2, 4, 1}, 16, 192, {64, 16, 1}},
      {"blur_sobel", {2, 1, 1}, 16, 180, {60, 16, 1}},         {"sobel", {2, 4, 1}, 16, 192, {64, 16}},
  };
  for (const kernel_run& r : runs)
    if (r.kernel == kernel) return r;
  return std::nullopt;
}

namespace detail {

template <class P> struct run_argument;
template <class T, tg::mode M, int R, class... O> struct run_argument<tg::view<T, M, R, O...>> {
  tg::buffer<T> elements;
  std::size_t rows, columns;

  run_argument(tg::device& gpu, const kernel_run& run, std::size_t&)
      : elements(gpu.zeros<T>(run.rows * run.columns)), rows(run.rows), columns(run.columns) {}
  decltype(auto) value() {
    if constexpr (R == 2) return tg::matrix(elements, rows, columns, columns);
    else return (elements);
  }
};
template <class T, class C> struct run_argument<tg::scalar<T, C>> {
  T number;

  run_argument(tg::device&, const kernel_run& run, std::size_t& next) : number(static_cast<T>(run.scalars.at(next++))) {}
  T value() { return number; }
};

template <class K, class... P> void launch(const K& kernel, tg::device& gpu, const kernel_run& run, tg::parameter_list<P...>) {
  std::size_t next = 0;
  boost::hana::basic_tuple<run_argument<P>...> arguments{run_argument<P>(gpu, run, next)...};
  boost::hana::unpack(arguments, [&](auto&... own) {
    gpu.launch(kernel, tg::grid(run.blocks[0], run.blocks[1], run.blocks[2]), own.value()...);
  });
  gpu.synchronize();
}

}  // namespace detail

/// Launches `kernel` on `gpu`. Errors: those of a launch.
template <class K> void launch(const K& kernel, tg::device& gpu, const kernel_run& run) {
  detail::launch(kernel, gpu, run, typename K::parameters{});
}

}  // namespace examples
