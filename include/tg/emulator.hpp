// The emulator's options, checkers and counters. A program has the emulator itself where one source file includes
// <tg/library.hpp>; kernels run on it when there is no GPU, or when TG_DEVICE asks for it.
#pragma once

#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
