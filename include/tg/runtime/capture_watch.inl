// Which captures go on, and the refusal of what would break one.
#pragma once

#include <tg/runtime/capture_watch.hpp>

#include <algorithm>
#include <mutex>

#include <tg/base/config.hpp>

namespace tg::runtime {

struct capture_watch::state {
  struct capture {
    driver::stream_handle stream;
    bool is_blocking;
    source_location where;
    std::string culprit;
  };

  std::mutex mutex;
  dynamic_array<capture> captures;
  dynamic_array<callable> put_off;
};

TG_LIBRARY_FUNCTION std::shared_ptr<capture_watch::state> capture_watch::make_state() { return std::make_shared<state>(); }

TG_LIBRARY_FUNCTION void capture_watch::begin(driver::stream_handle stream, bool is_blocking, source_location where) {
  const std::lock_guard lock(state_->mutex);
  state_->captures.push_back({stream, is_blocking, where, {}});
  count_ = state_->captures.size();
}

TG_LIBRARY_FUNCTION bool capture_watch::is_any_blocking() const {
  const std::lock_guard lock(state_->mutex);
  return std::ranges::any_of(state_->captures, [](const state::capture& c) { return c.is_blocking; });
}

TG_LIBRARY_FUNCTION capture_watch::remains capture_watch::end(driver::stream_handle stream) {
  const std::lock_guard lock(state_->mutex);
  remains out;
  for (std::size_t i = state_->captures.size(); i-- > 0;) {
    if (state_->captures[i].stream != stream) continue;
    out.culprit = std::move(state_->captures[i].culprit);
    state_->captures.erase(state_->captures.begin() + static_cast<std::ptrdiff_t>(i));
  }
  count_ = state_->captures.size();
  if (state_->captures.empty()) out.put_off = std::exchange(state_->put_off, {});
  return out;
}

TG_LIBRARY_FUNCTION void capture_watch::blame(std::string_view call) {
  const std::lock_guard lock(state_->mutex);
  for (state::capture& c : state_->captures)
    if (c.culprit.empty()) c.culprit = call;
}

TG_LIBRARY_FUNCTION bool capture_watch::put_off(callable work) {
  const std::lock_guard lock(state_->mutex);
  if (state_->captures.empty()) return false;
  state_->put_off.push_back(std::move(work));
  return true;
}

TG_LIBRARY_FUNCTION std::string capture_watch::note() const {
  const std::lock_guard lock(state_->mutex);
  std::string out;
  for (const state::capture& c : state_->captures)
    out.append(out.empty() ? "captured: the stream of " : ", the stream of ").append(text_of(c.where));
  return out;
}

TG_LIBRARY_FUNCTION void capture_watch::require(const driver::table& api, const void* f,
                                                std::initializer_list<driver::detail::call_value> values) const {
  if (const auto began = broken_by(api, f, values))
    refuse(driver::detail::describe_call(driver::detail::symbol_at(api, f), values), *began);
}

TG_LIBRARY_FUNCTION std::optional<source_location> capture_watch::broken_by(
    const driver::table& api, const void* f, std::initializer_list<driver::detail::call_value> values) const {
  using role = driver::detail::call_value::role;
  const auto names = [&](driver::stream_handle wanted) {
    for (const driver::detail::call_value& v : values) {
      if (v.means == role::stream && reinterpret_cast<driver::stream_handle>(v.bits) == wanted) return true;
      if (v.means == role::launch_config && reinterpret_cast<const driver::launch_config*>(v.bits)->stream == wanted)
        return true;
    }
    return false;
  };
  const auto is_host_copy = [&] {
    return f == &api.cuMemcpyHtoD || f == &api.cuMemcpyDtoH || f == &api.cuMemcpyDtoD || f == &api.cuMemcpyPeer ||
           f == &api.cuMemsetD8 || f == &api.cuMemsetD16 || f == &api.cuMemsetD32;
  };
  const bool is_wait = f == &api.cuStreamSynchronize || f == &api.cuStreamQuery || f == &api.cuStreamDestroy;
  const bool is_legacy = is_host_copy() || names(nullptr);
  const std::lock_guard lock(state_->mutex);
  for (const state::capture& c : state_->captures)
    if (f == &api.cuCtxSynchronize || (is_wait && names(c.stream))) return c.where;
  for (const state::capture& c : state_->captures)
    if (is_legacy && c.is_blocking) return c.where;
  return std::nullopt;
}

TG_LIBRARY_FUNCTION std::string capture_watch::text_of(source_location where) {
  const std::string path = where.file;
  return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(where.line);
}

TG_LIBRARY_FUNCTION void capture_watch::refuse(const std::string& call, source_location began) {
  throw error(capture_forbidden, call + " would break the capture of a stream that began at " + text_of(began),
              "do it before the capture or after; copies and launches that name no stream may stand beside the capture of a "
              "non-blocking stream");
}

}  // namespace tg::runtime
