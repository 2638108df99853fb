// What is said of arguments that do not fit a kernel.
#pragma once

#include <tg/runtime/argument.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime::detail {

TG_LIBRARY_FUNCTION void fail(const launch_site& site, code c, int number, const std::string& fact, std::string_view fix) {
  throw error(c, "launch of '" + std::string(site.kernel) + "': argument " + std::to_string(number) + " " + fact, fix,
              site.where);
}

TG_LIBRARY_FUNCTION void check_view(const launch_site& site, int number, context* owner, driver::device_address address,
                                    std::size_t size, int alignment_bytes) {
  if (size == 0) [[unlikely]]
    fail(site, empty_buffer, number, "is an empty buffer", "give it a buffer with elements");
  if (owner != &site.device && !site.device.is_peer(owner)) [[unlikely]]
    fail(site, foreign_buffer, number,
         "is a buffer of '" + owner->label() + "', the launch is on " + site.device.label_beside(*owner),
         "use buffers of the device that launches, or give it tg::peer_access to the other");
  if ((address & (static_cast<unsigned>(alignment_bytes) - 1)) != 0) [[unlikely]]
    fail(site, misaligned_base, number,
         "begins at " + driver::detail::hex(address) + ", the view promises a multiple of " + std::to_string(alignment_bytes) +
             " bytes",
         "begin at a multiple, or declare the view with tg::aligned<...>");
}

TG_LIBRARY_FUNCTION void check_length(const launch_site& site, int number, const char* what, std::uint64_t given,
                                      std::uint64_t wanted) {
  if (given < wanted) [[unlikely]]
    fail(site, short_view, number,
         "has " + std::to_string(given) + " " + what + ", the kernel relies on " + std::to_string(wanted),
         "give it a longer buffer, or cover fewer elements");
}

TG_LIBRARY_FUNCTION void check_multiple(const launch_site& site, int number, const char* what, long long value,
                                        long long divisor) {
  if (value % divisor != 0) [[unlikely]]
    fail(site, broken_contract, number,
         std::string(what) + std::to_string(value) + ", the kernel relies on a multiple of " + std::to_string(divisor),
         "pad it, or launch a kernel without the contract");
}

/// Whether a matrix with gaps, which begins first, has a row that meets what is without gaps.
inline bool meets_row(const touched& a, driver::device_address begin, driver::device_address end) {
  const std::uint64_t from = begin - a.begin, row = from / a.pitch_bytes;
  const driver::device_address start = a.begin + row * a.pitch_bytes;
  return start + a.row_bytes > begin || (start + a.pitch_bytes < end && start + a.pitch_bytes < a.end);
}

/// Whether two views have an element in common. Of matrices with gaps of different lengths it is not said.
inline bool share_elements(const touched& x, const touched& y) {
  if (x.begin >= y.end || y.begin >= x.end) return false;
  const touched &a = x.begin <= y.begin ? x : y, &b = x.begin <= y.begin ? y : x;
  if (a.pitch_bytes == 0) return true;  // the first element of b
  if (b.pitch_bytes == 0) return meets_row(a, b.begin, b.end);
  // Each row of b lies as the first one does, as long as both matrices go on.
  return a.pitch_bytes == b.pitch_bytes && meets_row(a, b.begin, b.begin + b.row_bytes);
}

TG_LIBRARY_FUNCTION void check_aliases(const launch_site& site, const touched* views, int count) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      if (!views[i].is_written && views[j].is_written && share_elements(views[i], views[j])) [[unlikely]]
        fail(site, aliased_views, i + 1,
             "is read as tg::in and shares memory with argument " + std::to_string(j + 1) + ", which is written",
             "declare one tg::inout parameter for both");
}

}  // namespace tg::runtime::detail
