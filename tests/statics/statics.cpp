// A device, a buffer and a stream with static storage: they are destroyed behind the objects of the thread, when exit has been
// called, and give back what they have. Freed memory is overwritten (MALLOC_PERTURB_), so that what is used after its end
// fails.
#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

#include <tg/runtime/stream.hpp>
#include <tg/tg.hpp>

namespace {

tg::device gpu("emulator");
tg::stream work(gpu);
auto x = gpu.upload(std::vector<float>(64, 1.0f));

constexpr auto twice = tg::kernel<"twice">(tg::block<64>, [](auto block, tg::inout<float> v) { v(block.thread.x) *= 2.0f; });

/// The first static object that is destroyed uses the device.
struct last_use {
  ~last_use() {
    // Small blocks are taken in between: whoever still writes to one that was freed breaks their list.
    std::vector<std::unique_ptr<char[]>> blocks;
    for (int turn = 0; turn < 8; ++turn) {
      gpu.launch(twice, tg::grid(1), x);
      for (std::size_t bytes = 8; bytes <= 128; bytes += 8) blocks.emplace_back(new char[bytes]{});
    }
    std::puts(x.to_host()[63] == 512.0f ? "right" : "wrong");
  }
} used;

}  // namespace

int main() { gpu.launch(twice, tg::grid(1), x); }
