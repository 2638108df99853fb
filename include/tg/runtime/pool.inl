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

class pool_memory final : private context_observer {
 public:
  pool_memory(std::shared_ptr<context> context, const pool_options& options)
      : context_(std::move(context)), options_(options), backing_(context_, options.maps_memory) {
    if (backing_.is_mapped()) ranges_.reserve(backing_.reserved());
    lane_of(nullptr);
    context_->add_observer(*this);
  }
  pool_memory(const pool_memory&) = delete;
  pool_memory& operator=(const pool_memory&) = delete;
  ~pool_memory() {
    context_->remove_observer(*this);
    for (const lane& l : lanes_)
      if (l.event != nullptr) context_->release(context_->api().cuEventDestroy, l.event);
  }

  pool_block allocate(std::size_t bytes, driver::stream_handle stream, source_location where);
  void free(const pool_block& block, std::span<const driver::stream_handle> users) noexcept;
  std::size_t trim();
  void forget(driver::stream_handle stream);
  /// The stream works on memory of the pool: what it has been given when the memory is freed is waited for.
  void note(driver::stream_handle stream) {
    const std::lock_guard lock(mutex_);
    lane_of(stream);
  }
  /// The stream in whose order a copy of the block is: the one it was made for, or the legacy stream after that one's work.
  driver::stream_handle stream_of(const pool_block& block);
  pool_statistics statistics() const;

 private:
  void set_user(driver::device_id device, bool may) override {
    const std::lock_guard lock(mutex_);
    backing_.set_user(device, may);
  }
  void stream_ends(driver::stream_handle stream) noexcept override;
  std::size_t give_back_free() noexcept override;

  using lane_number = tlsf::lane;
  /// Memory that one stream uses in its order. Of a stream that has ended the handle is known no more: one that was waited for
  /// has left its memory to the first lane, of one that was not the event stands for all its work.
  struct lane {
    enum class state { alive, ended, waited_for };
    driver::stream_handle stream = nullptr;
    driver::event_handle event = nullptr;
    state is = state::alive;
    std::size_t live = 0;
  };
  using lane_state = lane::state;

  // Not context::synchronize, which also waits for what gives memory back to this pool, and the lock is held here.
  void wait_for(driver::stream_handle stream) { context_->call(context_->api().cuStreamSynchronize, stream); }
  lane_number lane_of(driver::stream_handle stream);
  const lane* find_lane(driver::stream_handle stream) const;
  tlsf::block find_more(std::size_t bytes, lane_number of, source_location where);
  tlsf::block take_from_others(std::size_t bytes, lane_number of);
  void make_wait(const lane& owner, driver::stream_handle user) noexcept;
  lane_number number_of(const lane& l) const { return static_cast<lane_number>(&l - lanes_.data()); }
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
  for (const driver::stream_handle user : users) {
    const lane owner = lanes_[block.lane];  // a copy: the list may grow
    make_wait(owner, user);
  }
  --counts_.live;
  --lanes_[block.lane].live;
  counts_.live_bytes -= ranges_.bytes_of(block.number);
  places_.forget(block.number);
  ranges_.free(block.number, lanes_[block.lane].is == lane_state::waited_for ? 0 : block.lane);
}

/// What the lane is given from now on comes after what `user` has been given so far.
inline void pool_memory::make_wait(const lane& owner, driver::stream_handle user) noexcept {
  if (owner.is == lane_state::alive && user == owner.stream) return;
  const auto& api = context_->api();
  try {
    if (find_lane(user) == nullptr) return;  // it has ended, and was waited for or is by its event
    lane& other = lanes_[lane_of(user)];
    if (owner.is == lane_state::alive && mark(other) == driver::result::success &&
        context_->attempt(api.cuStreamWaitEvent, owner.stream, other.event, 0u) == driver::result::success)
      return;
  } catch (const error&) {}
  context_->release(api.cuStreamSynchronize, user);
}

inline const pool_memory::lane* pool_memory::find_lane(driver::stream_handle stream) const {
  const auto found =
      std::ranges::find_if(lanes_, [&](const lane& l) { return l.stream == stream && l.is == lane_state::alive; });
  return found == lanes_.end() ? nullptr : &*found;
}

inline pool_memory::lane_number pool_memory::lane_of(driver::stream_handle stream) {
  if (last_lane_ < lanes_.size() && lanes_[last_lane_].stream == stream && lanes_[last_lane_].is == lane_state::alive)
      [[likely]]
    return last_lane_;
  if (const lane* const known = find_lane(stream)) return last_lane_ = number_of(*known);
  auto unused = std::ranges::find_if(
      lanes_, [&](const lane& l) { return l.is != lane_state::alive && l.live == 0 && ranges_.free_bytes(number_of(l)) == 0; });
  if (unused == lanes_.end()) unused = lanes_.emplace(lanes_.end());
  *unused = {stream, unused->event, lane_state::alive, 0};
  return last_lane_ = number_of(*unused);
}

/// The handle is about to be given to another stream, so the work so far is kept as an event instead.
inline void pool_memory::stream_ends(driver::stream_handle stream) noexcept {
  const std::lock_guard lock(mutex_);
  if (stream == nullptr || find_lane(stream) == nullptr) return;
  lane& l = lanes_[lane_of(stream)];
  try {
    if (mark(l) != driver::result::success) context_->attempt(context_->api().cuStreamSynchronize, stream);
  } catch (const error&) {}
  l.is = lane_state::ended;
  l.stream = nullptr;
}

inline driver::stream_handle pool_memory::stream_of(const pool_block& block) {
  const std::lock_guard lock(mutex_);
  const lane& l = lanes_[block.lane];
  if (l.is == lane_state::ended && l.event != nullptr)
    context_->call(context_->api().cuStreamWaitEvent, driver::stream_handle{}, l.event, 0u);
  return l.stream;
}

inline std::size_t pool_memory::give_back_free() noexcept {
  const std::lock_guard lock(mutex_);
  try {
    wait_for_all(0);
  } catch (const error&) {}  // a stream that cannot be waited for keeps its memory
  return give_back_pieces();
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
    if (other == of || ranges_.largest_free(other) < tlsf::round_up(bytes)) continue;
    const bool has_ended = lanes_[other].is == lane_state::ended;
    if (!has_ended && (is_captured(lanes_[other].stream) || mark(lanes_[other]) != driver::result::success)) continue;
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
    const lane& l = lanes_[other];
    if (l.is == lane_state::alive) wait_for(l.stream);
    else if (l.event != nullptr) context_->call(context_->api().cuEventSynchronize, l.event);
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
  const lane* const found = find_lane(stream);
  if (found == nullptr || number_of(*found) == 0) return;  // the first is the default stream's, which stays
  wait_for(stream);
  lane& l = lanes_[number_of(*found)];
  ranges_.hand_over(number_of(l), 0);
  l.is = lane_state::waited_for;
  l.stream = nullptr;
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
TG_LIBRARY_FUNCTION void note_stream(pool_memory& memory, driver::stream_handle stream) { memory.note(stream); }
TG_LIBRARY_FUNCTION driver::stream_handle stream_of(pool_memory& memory, const pool_block& block) {
  return memory.stream_of(block);
}
TG_LIBRARY_FUNCTION pool_statistics statistics_of(const pool_memory& memory) { return memory.statistics(); }

}  // namespace tg::runtime
