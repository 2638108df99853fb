// What people get wrong: the act, the error that tells them, and everything that they are wrong about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/driver/libcuda.hpp>
#include <tg/dsl.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/machine.hpp>

#include "../misuse.hpp"
#include "hand_written.hpp"

namespace wrong_use {

using hand_written::saxpy;
using tg::driver::device_attribute;
using tg::driver::result;

inline constexpr std::size_t mib = std::size_t{1} << 20;

using ::misuse;

/// A kernel of any block and signature whose text the test gives.
template <class Block, class... P> struct shaped {
  static constexpr std::string_view name = "shaped";
  static constexpr Block block{};
  using parameters = tg::parameter_list<P...>;
  std::string text = ".visible .entry shaped() { ret; }\n";
  tg::ptx::isa_version version{7, 0};
  int sm = 70;
};

template <class Block, class... P> tg::runtime::kernel_source source_of(const shaped<Block, P...>& k) {
  const auto number = [](int n) { return std::to_string(n); };
  return {".version " + number(k.version.major) + "." + number(k.version.minor) + "\n.target sm_" + number(k.sm) +
              "\n.address_size 64\n" + k.text,
          k.version, k.sm};
}

inline constexpr auto numbers = tg::kernel<"numbers">(tg::block<32>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
  auto i = tg::let(block.global_index());
  tg::if_(i < n, [&] { y(i) = tg::cast<float>(i); });
});

using line = tg::block_t<32>;
using text_kernel = shaped<line>;

/// The emulator's table with a device that lacks what newer ones have.
inline const tg::driver::table& old_table() {
  static const tg::driver::table api = [] {
    auto out = hand_written::gpu_table();
    out.cuDeviceGetAttribute = [](int* value, device_attribute a, tg::driver::device_id device) {
      const result r = tg::emulator::driver_table().cuDeviceGetAttribute(value, a, device);
      if (a == device_attribute::cluster_launch || a == device_attribute::cooperative_launch ||
          a == device_attribute::managed_memory)
        *value = 0;
      if (a == device_attribute::compute_capability_major) *value = 8;
      return r;
    };
    return out;
  }();
  return api;
}

inline tg::driver::library no_gpu() {
  tg::driver::library out;
  out.reason = "libcuda.so.1 is not there";
  return out;
}
inline tg::driver::library one_gpu() {
  tg::driver::library out;
  out.devices = 1;
  return out;
}

/// Everything that the cases are wrong about.
struct world {
  tg::device gpu{"emulator"};
  tg::device old{tg::runtime::machine{&old_table()}};
  tg::buffer<float> x = gpu.zeros<float>(64), y = gpu.zeros<float>(64), none = gpu.zeros<float>(0);
  tg::buffer<float> far = old.zeros<float>(64);
  tg::buffer<unsigned> rows = gpu.zeros<unsigned>(64);
  std::vector<float> host = std::vector<float>(100);

  void launch(const tg::placement& where) { gpu.launch(saxpy{}, where, x, y, 1.0f, 64); }
  template <class... A> void give(A&&... arguments) { gpu.launch(saxpy{}, tg::cover(64), std::forward<A>(arguments)...); }
  template <class Block> void block() { gpu.launch(shaped<Block>{}, tg::grid(1)); }
  void text(std::string t, tg::ptx::isa_version version = {7, 0}, int sm = 70) {
    gpu.launch(text_kernel{std::move(t), version, sm}, tg::grid(1));
  }
  void load(const tg::load_options& options) { gpu.compile(text_kernel{"// other options\n" + text_kernel{}.text}, options); }
  bool works() {
    const auto a = gpu.upload(std::vector<float>(64, 2.0f));
    auto b = gpu.upload(std::vector<float>(64, 1.0f));
    gpu.launch(saxpy{}, tg::cover(64), a, b, 3.0f, 64);
    return b.to_host() == std::vector<float>(64, 7.0f);
  }
};

}  // namespace wrong_use
