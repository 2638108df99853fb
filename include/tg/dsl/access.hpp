// What is known about one memory access of a kernel before it runs.
#pragma once

#include <cstdint>
#include <string_view>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/base/source_location.hpp>
#include <tg/ptx/operand.hpp>

namespace tg {

/// How an access was judged.
enum class verdict : std::uint8_t {
  proved,   // by the C++ compiler: good
  allowed,  // bad, and excused with a reason
  traced,   // good, judged when the kernel was recorded because plain C++ integers take part
  gather,   // data-dependent, and said so
};

/// One load, store or atomic of the kernel, in the order of the program text.
struct access {
  source_location where = {};
  bool is_shared = false;
  bool is_write = false;
  tg::verdict verdict = tg::verdict::proved;
  int element_bytes = 0;
  int access_bytes = 0;                  // per lane: element_bytes × vector width
  analysis::global_cost global{};        // of the worst warp request, when global and not gathered
  analysis::shared_cost shared{};        // of the worst warp request, when shared and not gathered
  std::string_view reason = {};              // of `allow`
  int parameter = -1;                    // number of the view among the kernel's parameters; -1: a shared tile
};

}  // namespace tg
