// How the driver compiles a kernel's PTX.
#pragma once

namespace tg {

/// Options of the driver's compiler. Ranges are checked when a kernel is loaded: TG550.
struct load_options {
  int optimization_level = 4;  // 0 to 4
  int max_registers = 0;       // per thread; 0: as many as it likes
  int target = 0;              // 86: machine code for sm_86; 0: for the device
  bool line_info = true;
  bool retry_unoptimized = false;  // once more at level 0 when the compiler fails
  bool is_tiered = false;          // level 0 for the first launches while another thread compiles at the level above
  bool uses_cache = true;          // the disk cache, where there is one

  friend constexpr bool operator==(const load_options&, const load_options&) = default;
};

}  // namespace tg
