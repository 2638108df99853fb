// libFuzzer: any text is loaded and its kernels run for a while, or refused with a tg::error.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <tg/base/error.hpp>
#include <tg/emulator/run/run.hpp>

namespace {

constexpr std::size_t buffer_bytes = 4096;

/// Every parameter is the address of the buffer, as far as it has room.
std::vector<std::byte> arguments(const tg::emulator::kernel_info& kernel, std::uint64_t buffer) {
  std::vector<std::byte> out(kernel.parameter_bytes);
  for (const auto& p : kernel.parameters)
    std::memcpy(out.data() + p.offset_bytes, &buffer, std::min(p.size_bytes, sizeof buffer));
  return out;
}

tg::emulator::options limits(std::uint64_t seed) {
  tg::emulator::options out;
  out.check = tg::emulator::check::checkers::all();
  out.threads = 1;
  out.seed = seed;
  out.watchdog_instructions = 1 << 12;
  out.stack_bytes = 1 << 12;
  out.heap_bytes = 1 << 16;
  out.on_printf = out.on_assert = [](std::string_view) {};
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), count);
  static const std::vector<std::byte> zeros(buffer_bytes);
  try {
    tg::emulator::memory memory(std::size_t{1} << 26);
    const auto program = tg::emulator::program::load(text, memory);
    for (std::size_t k = 0; k < program->kernels().size(); ++k) try {
        const std::uint64_t buffer = memory.allocate(buffer_bytes);
        std::memcpy(memory.at(buffer, buffer_bytes), zeros.data(), buffer_bytes);
        const auto& kernel = program->kernels()[k];
        const std::uint32_t threads = count % 2 == 0 ? 40 : 128;
        tg::emulator::run(memory, *program, k, {{2, 1, 1}, {threads, 1, 1}, 256}, arguments(kernel, buffer), limits(count % 3));
      } catch (const tg::error&) {}
  } catch (const tg::error&) {}
  return 0;
}
