#include <cstdio>
#include <string>

#include <tg/dsl.hpp>
#include <tg/gpu_library.hpp>

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

int main() {
  const std::string text = tg::to_ptx(saxpy);
  if (text.find(".entry saxpy(") == std::string::npos) return std::puts("saxpy is not in its text"), 1;
  std::puts("saxpy is lowered");
}
