// The emulator as a device of this program: kernels run on it when there is no GPU, or when TG_DEVICE asks for it. One source
// file of a program includes this header; the others need not know. Costs that file some twenty seconds of its compiler.
#pragma once

#include <tg/driver/emulated.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

// Weak, so that more than one source file may include this header.
extern "C" [[gnu::weak, gnu::used]] const tg::driver::table* tg_emulator_table() { return &tg::emulator::driver_table(); }
