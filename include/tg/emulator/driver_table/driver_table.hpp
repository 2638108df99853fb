// The emulator behind the functions of the CUDA driver: devices in this process that run PTX on the CPU.
// Work is done before the call that asks for it returns, on every stream; a captured stream collects it instead. A device
// lives on after an error of a kernel.
#pragma once

#include <cstdint>
#include <optional>

#include <tg/base/dynamic_array.hpp>
#include <tg/driver/api.hpp>

namespace tg::emulator {

struct options;
struct counters;  // who asks for them includes <tg/emulator/counters/counters.hpp>
namespace check {
struct finding;  // likewise <tg/emulator/launch/finding.hpp>
}

/// The emulator's table; every function is there.
const driver::table& driver_table();

/// What this thread's last call to the table failed with, in the emulator's words; none when it succeeded or when the
/// driver's result says it all.
std::optional<error> last_report();

/// How launches through the table run from now on.
void set_launch_options(const options& o);

/// How launches through the table run now.
options launch_options();

/// Shows that many devices from now on, at least those in use and at most 9; TG_EMULATOR_DEVICES says how many there are at
/// first. Each has the same cores and all of the memory; only calls that ask say who may use whose memory.
/// Returns: how many are shown.
int show_devices(int count);

/// With `on`, work of streams and plain fills and uploads is done when somebody waits for it, in an order among unordered work
/// that follows from the seed, so that a missing wait shows; off at first, unless TG_EMULATOR_STREAMS is async. Waits for all
/// work. An error of a kernel is then an error of the call that waits.
void run_streams_asynchronously(bool on, std::uint64_t seed = 0);

/// What the checkers found since the last call, leaks included.
dynamic_array<check::finding> take_findings();

/// Switches counters of launches on or off; off at first, because counting costs time.
void count_launches(bool on);

/// Counters of the last launch made while counting was on.
counters counters_of_last_launch();

}  // namespace tg::emulator
