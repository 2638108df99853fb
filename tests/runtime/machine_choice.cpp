#include <tg/runtime/machine_choice.hpp>

#include "hand_written.hpp"

using tg::runtime::choose_machine;
using hand_written::error_of;

namespace {

tg::driver::library two_gpus() {
  tg::driver::library out;
  out.devices = 2;
  return out;
}

tg::driver::library no_gpu() {
  tg::driver::library out;
  out.reason = "libcuda.so.1 is not there";
  return out;
}

}  // namespace

TEST_CASE("without a wish the first GPU, else the emulator") {
  const auto gpus = two_gpus();
  CHECK(choose_machine("", gpus).api == &gpus.api);
  CHECK(choose_machine("", gpus).ordinal == 0);
  CHECK(choose_machine("", no_gpu()).api == &tg::emulator::driver_table());
}

TEST_CASE("a wish is granted") {
  const auto gpus = two_gpus();
  CHECK(choose_machine("emulator", gpus).api == &tg::emulator::driver_table());
  CHECK(choose_machine("gpu", gpus).api == &gpus.api);
  CHECK(choose_machine("gpu:1", gpus).ordinal == 1);
}

TEST_CASE("a wish that cannot be granted is refused") {
  const auto missing = error_of([] { choose_machine("gpu", no_gpu()); });
  CHECK(missing.number == 501);
  CHECK(missing.says("libcuda.so.1 is not there"));
  const auto third = error_of([] { choose_machine("gpu:2", two_gpus()); });
  CHECK(third.number == 503);
  CHECK(third.says("there is no GPU 2; the driver sees 2"));
  for (const char* wish : {"GPU", "gpu:", "gpu:x", "gpu:1x", "gpu:-1", "cuda", "emulator "}) {
    CAPTURE(wish);
    const auto wrong = error_of([&] { choose_machine(wish, two_gpus()); });
    CHECK(wrong.number == 520);
    CHECK(wrong.says(wish));
  }
}
