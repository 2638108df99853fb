// A launch that is checked once and made often.
#pragma once

#include <array>
#include <memory>
#include <type_traits>

#include <tg/runtime/device.hpp>

namespace tg {

/// A kernel on a device with its grid and options. Each call packs the arguments, checks them against the kernel's
/// contracts, and makes one call of the driver.
/// Requires: the kernel, as far as it captures, does not change.
/// Errors: those of `device::compile`; TG521, TG567 to TG571.
/// Example: const tg::prepared step(gpu, saxpy, tg::cover(n)); step(x, y, 2.0f, n);
template <class K> class prepared {
  using packed_arguments = runtime::packed_arguments<typename K::parameters>;
  static constexpr runtime::block_threads block{K::block.x, K::block.y, K::block.z};

 public:
  prepared(device gpu, const K& kernel, const placement& where)
      : context_(gpu.context()), where_(where), plan_(runtime::plan_launch(*context_, gpu.compile(kernel), where, block)) {}

  /// Runs the kernel. Errors: TG523 to TG527, TG531, TG566; those of the driver.
  template <class... A> void operator()(A&&... arguments) const { run(nullptr, arguments...); }
  /// Launches on a stream.
  template <class... A> void on(driver::stream_handle stream, A&&... arguments) const { run(stream, arguments...); }

  const runtime::launch_plan& plan() const { return plan_; }

 private:
  template <class... A> void run(driver::stream_handle stream, A&... arguments) const {
    if constexpr (packed_arguments::template takes<A...>()) {
      const runtime::launch_site site{*context_, K::name, plan_.where, &where_, block};
      const packed_arguments packed(site, arguments...);
      runtime::with_maps(site, *plan_.kernel, packed, [&](const void* parameters, std::size_t bytes) {
        runtime::launch(*context_, plan_, parameters, bytes, stream);
      });
    } else {
      packed_arguments::template refuse<A...>();
    }
  }

  std::shared_ptr<runtime::context> context_;
  placement where_;
  runtime::launch_plan plan_;
};

}  // namespace tg
