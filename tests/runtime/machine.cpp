#include <tg/runtime/machine.hpp>

#include <cstdlib>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/machine.inl>

#include <tests/program_copy.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::runtime::choose_machine;

TEST_CASE("TG_DEVICE is the wish of those who have none") {
  const char* before = std::getenv("TG_DEVICE");
  const std::string kept = before ? before : "";
  setenv("TG_DEVICE", "nonsense", 1);
  CHECK(error_of([] { choose_machine(); }).number == 520);
  CHECK(choose_machine("emulator").api == &tg::emulator::driver_table());
  setenv("TG_DEVICE", "emulator", 1);
  CHECK(choose_machine().api == &tg::emulator::driver_table());
  if (before) setenv("TG_DEVICE", kept.c_str(), 1);
  else unsetenv("TG_DEVICE");
}

namespace {

tg::runtime::machine choose_machine(std::string_view wish, const tg::driver::library& gpus) {
  return tg::runtime::choose_machine(wish, gpus, tg::driver::emulated());
}

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

TEST_CASE("a driver that fails is an error, not the emulator") {
  auto broken = no_gpu();
  broken.reason = "libcuda.so.1: cuInit(0) returns CUDA_ERROR_UNKNOWN, an unknown error";
  broken.is_broken = true;
  const auto fails = error_of([&] { choose_machine("", broken); });
  CHECK(fails.number == 501);
  CHECK(fails.says("CUDA_ERROR_UNKNOWN"));
  CHECK(fails.says("TG_DEVICE=emulator"));
  CHECK(choose_machine("emulator", broken).api == &tg::emulator::driver_table());
}

TEST_CASE("a program without an emulator says which line gives it one") {
  const auto gpus = two_gpus();
  CHECK(tg::runtime::choose_machine("", gpus, nullptr).api == &gpus.api);
  const auto nothing = error_of([] { tg::runtime::choose_machine("", no_gpu(), nullptr); });
  CHECK(nothing.number == 574);
  CHECK(nothing.says("libcuda.so.1 is not there"));
  CHECK(nothing.says("#include <tg/library.hpp>"));
  CHECK(error_of([&] { tg::runtime::choose_machine("emulator:1", gpus, nullptr); }).number == 574);
  CHECK(tg::runtime::emulated_devices(nullptr) == 0);
}

TEST_CASE("a wish is granted") {
  const auto gpus = two_gpus();
  CHECK(choose_machine("emulator", gpus).api == &tg::emulator::driver_table());
  CHECK(choose_machine("gpu", gpus).api == &gpus.api);
  CHECK(choose_machine("gpu:1", gpus).ordinal == 1);
  CHECK(choose_machine("gpu:1", gpus).is_kept);
  CHECK(choose_machine("", gpus).is_kept);
  CHECK(!choose_machine("emulator", gpus).is_kept);
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

// What the next test case runs in other processes.
TEST_CASE("any machine twice" * doctest::skip()) {
  tg::runtime::choose_machine("");
  tg::runtime::choose_machine("");
}

TEST_CASE("a program that runs on the emulator without having asked for it says so, once") {
  const program_copy program;
  const std::string said = "tg: no GPU can be used (";
  CHECK(program.errors_of("any machine twice", "TG_DEVICE=emulator").find(said) == std::string::npos);
  if (tg::driver::libcuda().is_available()) {
    MESSAGE("skipped: there is a GPU");
    return;
  }
  const std::string errors = program.errors_of("any machine twice", "-u TG_DEVICE");
  CHECK(errors.starts_with(said));
  CHECK(errors.find("TG_DEVICE=emulator asks for it") != std::string::npos);
  CHECK(errors.find(said, 1) == std::string::npos);
}
