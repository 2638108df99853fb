// The lane code for this machine's vector unit, chosen at run time whatever the compiler was told to target.
#pragma once

#include <string_view>

#include <tg/emulator/image/lane_op.hpp>

namespace tg::emulator {

/// The code of the vector unit called `name`: "avx512", "avx2", "baseline", or the widest that this machine has.
lane_code find_lane_code(std::string_view name = {});

}  // namespace tg::emulator
