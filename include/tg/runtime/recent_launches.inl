// Whom an error that shows up late is laid to.
#pragma once

#include <tg/runtime/recent_launches.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION void recent_launches::forget(driver::stream_handle stream) {
  for (slot& s : slots_)
    if (s.stream.load(std::memory_order_relaxed) == stream) s.kernel.store(nullptr, std::memory_order_relaxed);
}

TG_LIBRARY_FUNCTION void recent_launches::forget_name(const char* kernel) {
  for (slot& s : slots_)
    if (s.kernel.load(std::memory_order_relaxed) == kernel) s.kernel.store(nullptr, std::memory_order_relaxed);
}

TG_LIBRARY_FUNCTION recent_launches::suspicion recent_launches::suspect(std::optional<driver::stream_handle> stream) const {
  const auto name = [](const slot& s) { return "'" + std::string(s.kernel.load()) + "'"; };
  const std::size_t next = next_, done = done_;
  const slot* last = nullptr;
  const slot* before = nullptr;
  std::size_t known = 0;
  for (std::size_t i = next; i > done && next - i < slots_.size(); --i) {
    const slot& s = slots_[(i - 1) % slots_.size()];
    if (s.kernel == nullptr || (stream && s.stream != *stream)) continue;
    if (++known == 1) last = &s;
    if (known == 2) before = &s;
  }
  const std::string place = stream && *stream ? " on this stream" : " here";
  if (last == nullptr) return {"no kernel was launched" + place + " since the last synchronisation", {}};
  const std::size_t launches = stream ? known : next - done;
  suspicion out{"most likely the fault of " + name(*last) + ", the last of " + std::to_string(launches) + " launches" +
                    (stream ? place : "") + " since the last synchronisation",
                {last->file, last->line}};
  if (before) out.text += "; the one before it was " + name(*before);
  return out;
}

}  // namespace tg::runtime
