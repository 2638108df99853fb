// A kernel saved to a file and loaded
//
// A package has the kernel's PTX and its signature. The program that loads it needs the signature, to check the arguments of
// launches, and not the kernel's body: here a struct with the name, the block and the parameters.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

struct saxpy_signature {
  static constexpr std::string_view name = "saxpy";
  static constexpr auto block = tg::block<256>;
  using parameters = tg::parameter_list<tg::in<float>, tg::inout<float>, tg::scalar<float>, tg::scalar<unsigned>>;
};

int main() {
  const std::string path = (std::filesystem::temp_directory_path() / "saxpy.tgkernel").string();
  tg::device gpu;
  tg::save(tg::package_of(saxpy, gpu), path);  // with the device's machine code; package_of(saxpy) is PTX alone

  const auto loaded = tg::load_kernel<saxpy_signature>(path);
  const auto x = gpu.upload(std::vector<float>(1000, 1.0f));
  auto y = gpu.upload(std::vector<float>(1000, 2.0f));
  gpu.launch(loaded, tg::cover(1000), x, y, 3.0f, 1000u);
  const bool is_right = y.to_host() == std::vector<float>(1000, 5.0f);

  // A kernel with another signature is refused when it is loaded, not when it crashes.
  bool is_refused = false;
  try {
    auto other = tg::load_package(path);
    other.parameters = "something else";
    (void)tg::packaged_kernel<saxpy_signature>(other);
  } catch (const tg::error& e) { is_refused = e.number() == 554; }
  std::filesystem::remove(path);
  std::printf("loaded and run: %s; another signature: %s\n", is_right ? "right" : "wrong", is_refused ? "refused" : "taken");
  return is_right && is_refused ? 0 : 1;
}
