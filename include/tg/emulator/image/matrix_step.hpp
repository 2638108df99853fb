// One step of a matrix instruction: what the lanes of a warp, or the warps of a warp group, do together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/lane_op.hpp>
#include <tg/emulator/image/slot.hpp>

namespace tg::emulator {

/// What a step sees of the block that runs it.
struct warp_view {
  std::byte* frame = nullptr;
  std::size_t stride = 0;  // bytes of one 4-byte unit of all threads
  std::uint32_t warp = 0;
  const lane_code* lanes = nullptr;
  const std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  std::optional<std::uint64_t> outside;           // set by the step: where it would have read past shared memory
  dynamic_array<std::uint64_t>* reads = nullptr;  // where it read 16 bytes of shared memory, if that is asked for

  /// The values of the warp's lanes in a slot, or those of the `next`-th warp after it.
  template <class T> T* values(slot_ref s, std::uint32_t next = 0) const {
    return reinterpret_cast<T*>(frame + s.index * stride + std::size_t{warp + next} * 32 * s.bytes);
  }
  std::uint32_t* words(slot_ref s, std::uint32_t next = 0) const { return values<std::uint32_t>(s, next); }
};

/// A step runs once all lanes of its warp, or of four warps, have come; elements of `detail::image::matrices`.
class matrix_step {
 public:
  virtual ~matrix_step() = default;

  /// Runs for the warp of `view`; for a warp group that is its first.
  virtual void operator()(warp_view& view) const = 0;
  /// Four warps take it together.
  virtual bool is_for_group() const { return false; }
  /// It ends a group of products.
  virtual bool commits() const { return false; }
  /// What it sets the registers of a warp group to, with 1 added where it asks for more; of setmaxnreg.
  virtual std::optional<std::uint32_t> sets_registers() const { return std::nullopt; }
  /// How many groups of products may still be under way behind it.
  virtual std::optional<std::uint32_t> waits_for_all_but() const { return std::nullopt; }
};

}  // namespace tg::emulator
