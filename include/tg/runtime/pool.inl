// The body of tg::pool: free ranges by stream, and what is tried when a stream has none that is large enough:
//   its own free memory; what another stream has freed and done with; what another has freed, after waiting for it on
//   the device; more from the driver; everything that is free, after waiting for it here; giving back and asking again.
#pragma once

#include <tg/runtime/pool.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/runtime/block_places.hpp>
#include <tg/runtime/pool_backing.hpp>
#include <tg/runtime/tlsf.hpp>

namespace tg::runtime {

class pool_memory {
 public:
  pool_memory(std::shared_ptr<context> context, const pool_options& options)
      : context_(std::move(context)), options_(options), backing_(context_, options.maps_memory) {
    if (backing_.is_mapped()) ranges_.reserve(backing_.reserved());
    lane_of(nullptr);
  }
  pool_memory(const pool_memory&) = delete;
  pool_memory& operator=(const pool_memory&) = delete;
  ~pool_memory() {
    for (const lane& l : lanes_)
      if (l.event != nullptr) context_->release(context_->api().cuEventDestroy, l.event);
  }

  pool_block allocate(std::size_t bytes, driver::stream_handle stream, source_location where);
  void free(const pool_block& block, std::span<const driver::stream_handle> users) noexcept;
  std::size_t trim();
  void forget(driver::stream_handle stream);
  pool_statistics statistics() const;

 private:
  using lane_number = tlsf::lane;
  struct lane {
    driver::stream_handle stream = nullptr;
    driver::event_handle event = nullptr;
    bool is_gone = false;
    std::size_t live = 0;
  };

  lane_number lane_of(driver::stream_handle stream);
  tlsf::block find_more(std::size_t bytes, lane_number of, source_location where);
  tlsf::block take_from_others(std::size_t bytes, lane_number of);
  void make_wait(driver::stream_handle stream, driver::stream_handle user) noexcept;
  driver::result mark(lane& l);
  bool is_captured(driver::stream_handle stream);
  driver::result grow(std::size_t bytes, lane_number of);
  void wait_for_all(lane_number heir);
  std::size_t give_back_pieces();
  [[noreturn]] void fail(driver::result r, std::size_t bytes, source_location where) const;

  std::shared_ptr<context> context_;
  pool_options options_;
  mutable std::mutex mutex_;
  pool_backing backing_;
  tlsf ranges_;
  std::vector<lane> lanes_;
  lane_number last_lane_ = 0;
  block_places places_;
  pool_statistics counts_;
};

inline pool_block pool_memory::allocate(std::size_t bytes, driver::stream_handle stream, source_location where) {
  const std::lock_guard lock(mutex_);
  const lane_number of = lane_of(stream);
  tlsf::block b = ranges_.allocate(bytes, of);
  ++counts_.allocations;
  if (b != tlsf::none) [[likely]]
    ++counts_.hits;
  else b = find_more(bytes, of, where);
  places_.note(b, where);
  ++counts_.live;
  ++lanes_[of].live;
  counts_.live_bytes += ranges_.bytes_of(b);
  counts_.peak_live_bytes = std::max(counts_.peak_live_bytes, counts_.live_bytes);
  return {ranges_.begin_of(b), b, of};
}

inline void pool_memory::free(const pool_block& block, std::span<const driver::stream_handle> users) noexcept {
  const std::lock_guard lock(mutex_);
  for (const driver::stream_handle user : users) make_wait(lanes_[block.lane].stream, user);
  --counts_.live;
  --lanes_[block.lane].live;
  counts_.live_bytes -= ranges_.bytes_of(block.number);
  places_.forget(block.number);
  ranges_.free(block.number, lanes_[block.lane].is_gone ? 0 : block.lane);
}

/// What `stream` is given from now on comes after what `user` has been given so far.
inline void pool_memory::make_wait(driver::stream_handle stream, driver::stream_handle user) noexcept {
  if (user == stream) return;
  const auto& api = context_->api();
  try {
    lane& other = lanes_[lane_of(user)];
    if (mark(other) == driver::result::success &&
        context_->attempt(api.cuStreamWaitEvent, stream, other.event, 0u) == driver::result::success)
      return;
  } catch (const error&) {}
  context_->release(api.cuStreamSynchronize, user);
}

inline pool_memory::lane_number pool_memory::lane_of(driver::stream_handle stream) {
  const auto is_it = [&](const lane& l) { return l.stream == stream && !l.is_gone; };
  if (last_lane_ < lanes_.size() && is_it(lanes_[last_lane_])) [[likely]]
    return last_lane_;
  auto found = std::ranges::find_if(lanes_, is_it);
  if (found == lanes_.end()) {
    found = std::ranges::find_if(lanes_, [](const lane& l) { return l.is_gone && l.live == 0; });
    if (found == lanes_.end()) found = lanes_.emplace(lanes_.end());
    *found = {stream, found->event, false, 0};
  }
  return last_lane_ = static_cast<lane_number>(found - lanes_.begin());
}

inline tlsf::block pool_memory::find_more(std::size_t bytes, lane_number of, source_location where) {
  tlsf::block b = take_from_others(bytes, of);
  if (b != tlsf::none) return b;
  driver::result r = grow(bytes, of);
  if (r == driver::result::out_of_memory) {
    wait_for_all(of);
    if ((b = ranges_.allocate(bytes, of)) != tlsf::none) return b;
    give_back_pieces();
    r = grow(bytes, of);
  }
  if (r == driver::result::success) b = ranges_.allocate(bytes, of);
  if (b == tlsf::none) fail(r, bytes, where);
  return b;
}

/// Records what the stream has been given so far. The event is the lane's own.
inline driver::result pool_memory::mark(lane& l) {
  const auto& api = context_->api();
  if (l.event == nullptr) {
    const driver::result r = context_->attempt(api.cuEventCreate, &l.event, driver::event_flag::disable_timing);
    if (r != driver::result::success) return r;
  }
  return context_->attempt(api.cuEventRecord, l.event, l.stream);
}

/// Whether the stream is captured, or asking it would break the capture of another.
inline bool pool_memory::is_captured(driver::stream_handle stream) {
  auto status = driver::capture_status::none;
  try {
    const driver::result r = context_->attempt(context_->api().cuStreamIsCapturing, stream, &status);
    return r != driver::result::success || status != driver::capture_status::none;
  } catch (const error&) { return true; }
}

/// An event on the other stream, recorded now, is behind all work on what it has freed.
inline tlsf::block pool_memory::take_from_others(std::size_t bytes, lane_number of) {
  const auto& api = context_->api();
  std::vector<lane_number> busy;
  for (lane_number other = 0; other < lanes_.size(); ++other) {
    if (other == of || ranges_.largest_free(other) < tlsf::round_up(bytes) || is_captured(lanes_[other].stream)) continue;
    if (mark(lanes_[other]) != driver::result::success) continue;
    if (context_->attempt(api.cuEventQuery, lanes_[other].event) == driver::result::success) {
      ++counts_.reused_elsewhere;
      return ranges_.allocate(bytes, other);
    }
    busy.push_back(other);
  }
  for (const lane_number other : busy) {
    if (!options_.waits_for_streams || is_captured(lanes_[of].stream)) break;
    if (context_->attempt(api.cuStreamWaitEvent, lanes_[of].stream, lanes_[other].event, 0u) != driver::result::success)
      continue;
    ++counts_.reused_elsewhere;
    return ranges_.allocate(bytes, other);
  }
  return tlsf::none;
}

inline driver::result pool_memory::grow(std::size_t bytes, lane_number of) {
  const std::size_t lacking = backing_.is_mapped() ? ranges_.missing_bytes(bytes, backing_.reserved(), of) : bytes;
  const std::size_t least = backing_.round_up(lacking);
  const std::size_t left = options_.most_bytes - std::min(options_.most_bytes, backing_.bytes());
  if (least < lacking || least > left) return driver::result::out_of_memory;
  address_range piece;
  driver::result r = driver::result::out_of_memory;
  const std::size_t wanted = std::min(std::max(least, backing_.round_up(options_.growth_bytes)), left);
  if (wanted > least) r = backing_.grow(wanted, piece);
  if (r == driver::result::out_of_memory) r = backing_.grow(least, piece);
  if (r != driver::result::success) return r;
  ++counts_.driver_allocations;
  counts_.peak_reserved_bytes = std::max(counts_.peak_reserved_bytes, backing_.bytes());
  if (!backing_.is_mapped()) ranges_.reserve(piece);
  ranges_.provide(piece, of);
  return r;
}

/// Afterwards every free range may be used by anyone; the heir gets them, so that neighbours join.
inline void pool_memory::wait_for_all(lane_number heir) {
  for (lane_number other = 0; other < lanes_.size(); ++other) {
    if (ranges_.free_bytes(other) == 0) continue;
    context_->synchronize(lanes_[other].stream);
    ranges_.hand_over(other, heir);
  }
}

inline std::size_t pool_memory::give_back_pieces() {
  std::size_t bytes = 0;
  const auto pieces = backing_.pieces();
  for (const address_range& free : ranges_.free_ranges()) {
    for (const address_range& piece : pieces) {
      if (piece.begin < free.begin || free.end() < piece.end()) continue;
      ranges_.withdraw(piece);
      if (!backing_.is_mapped()) ranges_.forget(piece);
      backing_.release(piece);
      bytes += piece.bytes;
    }
  }
  counts_.given_back_bytes += bytes;
  return bytes;
}

inline std::size_t pool_memory::trim() {
  const std::lock_guard lock(mutex_);
  wait_for_all(0);
  return give_back_pieces();
}

inline void pool_memory::forget(driver::stream_handle stream) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(lanes_, [&](const lane& l) { return l.stream == stream && !l.is_gone; });
  if (found == lanes_.end() || found == lanes_.begin()) return;  // the first is the default stream's, which stays
  context_->synchronize(stream);
  ranges_.hand_over(static_cast<lane_number>(found - lanes_.begin()), 0);
  found->is_gone = true;
}

inline pool_statistics pool_memory::statistics() const {
  const std::lock_guard lock(mutex_);
  pool_statistics out = counts_;
  out.reserved_bytes = backing_.bytes();
  out.free_bytes = ranges_.free_bytes();
  out.largest_free_bytes = ranges_.largest_free();
  return out;
}

inline void pool_memory::fail(driver::result r, std::size_t bytes, source_location where) const {
  if (r != driver::result::out_of_memory) context_->fail(r, "growing a pool for " + std::to_string(bytes) + " bytes", where);
  if (context_->is_emulated()) context_->api().take_report();
  std::size_t free = 0, total = 0;
  context_->attempt(context_->api().cuMemGetInfo, &free, &total);
  const std::string held = places_.holders([&](tlsf::block b) { return ranges_.bytes_of(b); });
  throw error(pool_exhausted,
              "a pool has no " + std::to_string(bytes) + " bytes: it reserves " + std::to_string(backing_.bytes()) +
                  " of at most " + std::to_string(std::min(options_.most_bytes, total)) + ", " +
                  std::to_string(counts_.live_bytes) + " are in use, the largest free range has " +
                  std::to_string(ranges_.largest_free()) + "; '" + context_->name() + "' has " + std::to_string(free) +
                  " free of " + std::to_string(total) + (held.empty() ? "" : "; held: " + held),
              "free what is not needed, or work in parts", where);
}

TG_LIBRARY_FUNCTION std::shared_ptr<pool_memory> make_pool_memory(std::shared_ptr<context> context,
                                                                  const pool_options& options) {
  return std::make_shared<pool_memory>(std::move(context), options);
}
TG_LIBRARY_FUNCTION pool_block allocate_from(pool_memory& from, std::size_t bytes, driver::stream_handle stream,
                                             source_location where) {
  return from.allocate(bytes, stream, where);
}
TG_LIBRARY_FUNCTION void give_back(pool_memory& to, const pool_block& block,
                                   std::span<const driver::stream_handle> users) noexcept {
  to.free(block, users);
}
TG_LIBRARY_FUNCTION std::size_t trim(pool_memory& memory) { return memory.trim(); }
TG_LIBRARY_FUNCTION void forget_stream(pool_memory& memory, driver::stream_handle stream) { memory.forget(stream); }
TG_LIBRARY_FUNCTION pool_statistics statistics_of(const pool_memory& memory) { return memory.statistics(); }

}  // namespace tg::runtime
