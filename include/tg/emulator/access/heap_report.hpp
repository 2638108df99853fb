// The text about an access to the heap of kernels that meets no block.
#pragma once

#include <cstdlib>

#include <tg/emulator/check/report.hpp>

namespace tg::emulator {

/// `wrong(number, detail, fix)` throws; `near` is the block that is the least away. Errors: TG402, TG407.
template <class Wrong> [[noreturn]] void outside_heap(Wrong wrong, std::uint64_t address, const heap_block& near) {
  const std::string that =
      "the " + std::to_string(near.size_bytes) + " bytes at " + hex(near.address) + " that malloc returned";
  if (near.size_bytes == 0) {
    wrong(402, "is out of bounds: it is in the heap of malloc, which has no block", "use a pointer that malloc returned");
  } else if (address >= near.address && address < near.end() && !near.is_live) {
    wrong(407, "is a use after free: inside " + that + ", which were freed", "free the block after its last use");
  } else {
    const std::string where = address < near.address ? std::to_string(near.address - address) + " bytes before "
                              : address < near.end() ? "the end of the access is past the end of "
                                                     : std::to_string(address - near.end()) + " bytes past the end of ";
    wrong(402, "is out of bounds: " + where + that, "check the index against the size of the block");
  }
  std::abort();
}

}  // namespace tg::emulator
