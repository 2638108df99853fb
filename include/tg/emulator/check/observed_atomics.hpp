// Atomics that an access need not be ordered with by a barrier or a fence, because a later atomic has observed them.
//
// What atomics did to a word, the next atomic on it reads. So they precede it in observation order, and what its thread does
// then follows them: the block that draws the last number at a counter may set the counter back by a plain write. What their
// threads wrote elsewhere is not observed. Source: PTX ISA 9.0, 8.9 (observation order; what precedes Z in it precedes all that
// Z precedes in base causality order).
#pragma once

#include <bit>
#include <cstddef>

#include <tg/emulator/check/access_record.hpp>

namespace tg::emulator::check {

class observed_atomics {
 public:
  /// For an access of the lanes in `now`, one of which knows `known`.
  observed_atomics(const access_record& now, const vector_clock* known) : now_(now), known_(known) {}

  /// Strong accesses race with no atomic.
  bool is_sought() const { return !is_strong(now_.kind); }

  /// Looks at the records of a word, in the order of their accesses.
  void look(const access_record& r) {
    ++count_;
    if (r.atomic_bytes == 0) return;
    std::uint32_t before = known_ == nullptr ? 0 : r.lanes & ~known_->missing(r.warp, r.lanes, r.epoch);
    if (r.warp == now_.warp) before |= r.lanes & now_.lanes;
    if (before == 0) return;
    const std::uint32_t last = std::bit_floor(before);
    number_ = count_;
    lanes_ = r.is_spread ? last : last | (last - 1);  // lanes take their turns in order
    bytes_ = r.atomic_bytes;
  }

  /// The lanes of record `number`, counted from 1 on, whose atomics were observed before the access.
  std::uint32_t lanes_of(const access_record& r, std::size_t number) const {
    if (number_ == 0 || r.atomic_bytes != bytes_) return 0;
    if (number == number_) return lanes_;
    return number < number_ && !r.is_spread ? r.lanes : 0;
  }

 private:
  const access_record& now_;
  const vector_clock* known_;
  std::size_t count_ = 0;
  std::size_t number_ = 0;  // of the last atomic that happened before; 0: none has
  std::uint32_t lanes_ = 0;
  std::uint8_t bytes_ = 0;
};

}  // namespace tg::emulator::check
