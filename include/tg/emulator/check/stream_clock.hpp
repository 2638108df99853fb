// What has happened before what on streams: a vector clock over streams.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace tg::emulator::check {

/// Which work of each stream happened before: all up to a number.
class stream_clock {
 public:
  std::uint64_t at(std::uint64_t stream) const {
    const auto found = epochs_.find(stream);
    return found == epochs_.end() ? 0 : found->second;
  }
  void raise(std::uint64_t stream, std::uint64_t epoch) { epochs_[stream] = std::max(epochs_[stream], epoch); }
  void join(const stream_clock& other) {
    for (const auto& [stream, epoch] : other.epochs_) raise(stream, epoch);
  }
  /// Forgets streams. `is_needed(stream)` says which stay.
  template <class Predicate> void keep(Predicate is_needed) {
    std::erase_if(epochs_, [&](const auto& e) { return !is_needed(e.first); });
  }
  std::size_t size() const { return epochs_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> epochs_;
};

/// What the host knew when it submitted work.
using host_clock = std::shared_ptr<const stream_clock>;

/// How a stream and the legacy default stream of its context wait for each other.
enum class stream_kind : std::uint8_t { legacy, blocking, non_blocking };

/// A stream by a number that no other stream of the process has.
struct stream_name {
  std::uint64_t number = 0;
  std::uint64_t context = 0;
  stream_kind kind = stream_kind::non_blocking;
};

}  // namespace tg::emulator::check
