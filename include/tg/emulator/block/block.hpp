// A block while it runs, or neighbours that run as one: registers, shared and local memory, where each warp stands.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/emulator/block/lane_group.hpp>
#include <tg/emulator/block/machine.hpp>
#include <tg/emulator/block/pending.hpp>
#include <tg/emulator/block/slot_patterns.hpp>
#include <tg/emulator/block/thread_memory.hpp>
#include <tg/emulator/decode/decoder.hpp>

namespace tg::emulator {

class block_cluster;

class block {
 public:
  explicit block(const machine& m)
      : patterns(m), threads(m), barriers(m.abreast), m_(m), stride_(std::size_t{m.abreast} * m.warps * 32 * 4) {
    frame_bytes_ = std::size_t{m.image.slot_count} * stride_ + 64;
    frame_storage_ = std::make_unique_for_overwrite<std::byte[]>(frame_bytes_ + 64);
    frame_ = align_up(frame_storage_.get());
    patterns.attach(frame_, stride_);
    shared_stride = (m.shared_bytes + 63) / 64 * 64;
    shared_storage_.resize(shared_stride * m.abreast + 64);
    shared = align_up(shared_storage_.data());
    local = threads.data();
    warps.resize(m.warps * m.abreast);
    for (std::uint32_t w = 0; w < warps.size(); ++w) all_lanes[w] = m.lanes_of(w % m.warps);
    for (const function_image& f : m.image.functions)
      if (&f == &m.kernel || !f.is_kernel)
        for (const frame_value& v : f.values) {
          fill(v);
          patterns.set_constant(v.to);
          if (v.from == frame_value::source::special && is_per_block(static_cast<ptx::special>(v.value)))
            per_block_.push_back(v);
        }
  }

  /// Makes it block number `index` of the grid and its `count` - 1 neighbours, at their first instruction.
  void start(std::uint64_t index, std::uint32_t count = 1) {
    const auto& grid = m_.shape.grid;
    number = index;
    at = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
          static_cast<std::uint32_t>(index / grid.x / grid.y)};
    abreast = count;
    warp_count = m_.warps * count;
    patterns.start(count);
    std::fill_n(shared, shared_stride * count, std::byte{0});
    threads.clear();
    if (m_.image.uses_stack)
      fill({m_.image.stack_pointer, frame_value::source::number, lane_type::u64,
            static_cast<std::int64_t>(threads.stack_begin())});
    printed.clear();
    asserted.clear();
    end();
    is_fresh = true;
    if (m_.options.seed != 0 || m_.watch != nullptr || m_.cluster.count() != 1) place_warps();
    if (std::exchange(has_barriers, false))
      for (auto& of_block : barriers) of_block.fill({});
    has_ended = false;
    if (pending.cluster_arrived.empty() || !m_.image.async_uses.empty())
      pending.clear(m_.warps, m_.options.seed == 0 ? 0 : (m_.options.seed + index + 1) * 0x9e3779b97f4a7c15u);
    turn = 0;
    favourite_turns = 0;
    for (const frame_value& v : per_block_) {
      fill(v);
      if (static_cast<ptx::special>(v.value) == ptx::special::ctaid_x)
        for (std::uint32_t c = 1; c < count; ++c) patterns.set_in(c, v.to, at[0] + c);
    }
  }

  /// Gives each warp of a fresh block its part, before something parts them.
  void place_warps() {
    if (!std::exchange(is_fresh, false)) return;
    has_places = true;
    for (std::uint32_t w = 0; w < warp_count; ++w) {
      warps[w].live = all_lanes[w];
      warps[w].parts.assign(1, {m_.kernel.entry, warps[w].live, wait_reason::none, 0, 0});
    }
  }
  /// No lane lives any more.
  void end() {
    is_fresh = false;
    if (!std::exchange(has_places, false)) return;
    for (warp_state& w : warps) w.live = 0, w.parts.clear();
  }
  bool lives() const {
    return is_fresh || (has_places && std::ranges::any_of(warps, [](const warp_state& w) { return w.live != 0; }));
  }

  /// Which of the blocks a warp is of, and that block.
  std::uint32_t block_of(std::uint32_t warp) const { return warp / m_.warps; }
  std::uint64_t number_of(std::uint32_t warp) const { return number + block_of(warp); }
  fixed_array<std::uint32_t, 3> at_of(std::uint32_t warp) const { return {at[0] + block_of(warp), at[1], at[2]}; }
  std::byte* shared_of(std::uint32_t warp) const { return shared + block_of(warp) * shared_stride; }

  /// Lane 0 of `warp` in a slot.
  std::byte* slot(std::uint32_t index, std::size_t bytes, std::uint32_t warp) const {
    return frame_ + index * stride_ + std::size_t{warp} * 32 * bytes;
  }
  std::byte* slot(const operation& o, std::size_t k, std::uint32_t warp) const {
    return slot(o.slots[k], o.slot_bytes[k], warp);
  }
  std::uint32_t* words(const operation& o, std::size_t k, std::uint32_t warp) const {
    return reinterpret_cast<std::uint32_t*>(slot(o, k, warp));
  }
  std::size_t stride() const { return stride_; }
  std::byte* frame() const { return frame_; }

  /// Whether the guard, on which all agree, holds.
  bool holds(const operation& o) const { return (patterns.truth(o.guard, 0) != 0) != o.guard_negated; }

  const std::uint32_t* guard(const operation& o) const { return reinterpret_cast<const std::uint32_t*>(slot(o.guard, 4, 0)); }

  /// The lanes of the group's part of a warp for which the guard holds.
  std::uint32_t active(const operation& o, std::uint32_t warp) const {
    const std::uint32_t lanes = group.lanes[warp];
    if (o.guard == no_slot || lanes == 0) return lanes;
    const std::uint32_t holds = m_.lanes.bits(reinterpret_cast<const std::uint32_t*>(slot(o.guard, 4, warp)));
    return lanes & (o.guard_negated ? ~holds : holds);
  }

  /// Coordinates of a thread in its block.
  fixed_array<std::uint32_t, 3> thread(std::uint32_t t) const {
    const auto& b = m_.shape.block;
    t %= m_.warps * 32;
    return {t % b.x, t / b.x % b.y, t / b.x / b.y};
  }

  const machine& the_machine() const { return m_; }

  /// Lanes that wait for `reason` look again.
  void wake(wait_reason reason) {
    for (warp_state& w : warps)
      for (warp_part& p : w.parts)
        if (p.waits == reason) p.waits = wait_reason::none;
  }

  std::uint64_t number = 0;  // of the first
  fixed_array<std::uint32_t, 3> at{};
  std::uint32_t abreast = 1;  // blocks that run as one
  std::uint32_t warp_count = 0;
  block_cluster* cluster = nullptr;
  std::uint32_t rank = 0;  // in its cluster
  bool has_ended = false;  // others of the cluster may still run
  pending_work pending;
  std::byte* shared = nullptr;
  std::size_t shared_stride = 0;  // from block to block
  std::byte* local = nullptr;
  slot_patterns patterns;
  thread_memory threads;
  std::string printed;      // by vprintf
  std::string asserted;     // by __assertfail
  bool is_fresh = false;    // all lanes are at the first instruction or run together, and `warps` says nothing yet
  bool has_places = false;  // `warps` says where lanes are
  dynamic_array<warp_state> warps;
  std::array<std::uint32_t, most_warps> all_lanes{};      // that a warp starts with
  dynamic_array<std::array<barrier_state, 16>> barriers;  // per block
  bool has_barriers = false;                              // some are used
  lane_group group;
  std::uint64_t work = 0;  // warp instructions, of all blocks this object has been
  std::uint64_t completed_barriers = 0;
  std::uint64_t turn = 0;
  std::uint32_t favourite_turns = 0;
  std::uint32_t favourite_warp = 0;
  std::uint32_t favourite_lane = 0;
  static constexpr std::size_t scratch_bytes = most_warps * 32 * 8;
  alignas(64) std::array<std::byte, 2 * scratch_bytes> scratch;
  alignas(64) std::array<std::uint32_t, most_warps * 32> guard_mask;

 private:
  static std::byte* align_up(std::byte* p) { return p + (64 - (reinterpret_cast<std::uintptr_t>(p) & 63)) % 64; }

  static bool is_per_block(ptx::special s) {
    using enum ptx::special;
    return s == ctaid_x || s == ctaid_y || s == ctaid_z || s == smid || (s >= clusterid_x && s <= cluster_nctarank);
  }

  /// Not a number times the thread's coordinates.
  static bool is_per_lane(ptx::special s) {
    using enum ptx::special;
    return s == laneid || s == warpid || (s >= lanemask_eq && s <= lanemask_gt);
  }

  /// Values of the read-only registers.
  std::uint64_t special_value(ptx::special s, std::uint32_t thread_number) const {
    using enum ptx::special;
    const auto &grid = m_.shape.grid, &b = m_.shape.block;
    const auto own = thread(thread_number);
    const std::uint32_t lane = thread_number % 32, bit = 1u << lane;
    switch (s) {
      case tid_x: return own[0];
      case tid_y: return own[1];
      case tid_z: return own[2];
      case ntid_x: return b.x;
      case ntid_y: return b.y;
      case ntid_z: return b.z;
      case laneid: return lane;
      case warpid: return thread_number / 32 % m_.warps;
      case nwarpid: return m_.warps;
      case ctaid_x: return at[0];
      case ctaid_y: return at[1];
      case ctaid_z: return at[2];
      case nctaid_x: return grid.x;
      case nctaid_y: return grid.y;
      case nctaid_z: return grid.z;
      case clusterid_x: return at[0] / m_.cluster.x;
      case clusterid_y: return at[1] / m_.cluster.y;
      case clusterid_z: return at[2] / m_.cluster.z;
      case nclusterid_x: return grid.x / m_.cluster.x;
      case nclusterid_y: return grid.y / m_.cluster.y;
      case nclusterid_z: return grid.z / m_.cluster.z;
      case cluster_ctaid_x: return at[0] % m_.cluster.x;
      case cluster_ctaid_y: return at[1] % m_.cluster.y;
      case cluster_ctaid_z: return at[2] % m_.cluster.z;
      case cluster_ctarank: return rank;
      case cluster_nctaid_x: return m_.cluster.x;
      case cluster_nctaid_y: return m_.cluster.y;
      case cluster_nctaid_z: return m_.cluster.z;
      case cluster_nctarank: return m_.cluster.count();
      case is_explicit_cluster: return m_.is_explicit_cluster ? ~std::uint64_t{0} : 0;
      case gridid: return m_.grid_number;
      case envreg1: return m_.workspace >> 32;
      case envreg2: return m_.workspace & 0xffffffff;
      case nsmid: return 1;
      case lanemask_eq: return bit;
      case lanemask_lt: return bit - 1;
      case lanemask_le: return bit | (bit - 1);
      case lanemask_gt: return ~(bit | (bit - 1));
      case lanemask_ge: return ~(bit - 1);
      case total_smem_size:
      case aggr_smem_size: return m_.shared_bytes;
      case reserved_smem_offset_begin:
      case reserved_smem_offset_0: return m_.shared_bytes - machine::reserved_shared_bytes;
      case reserved_smem_offset_1: return m_.shared_bytes - machine::reserved_shared_bytes / 2;
      case reserved_smem_offset_end: return m_.shared_bytes;
      case reserved_smem_offset_cap: return machine::reserved_shared_bytes;
      case dynamic_smem_size: return m_.shape.dynamic_shared_bytes;
      default: return 0;
    }
  }

  std::uint64_t parameter_value(const frame_value& v) const {
    std::uint64_t raw = 0;
    const std::size_t bytes = width_bits(v.type) / 8, from = static_cast<std::size_t>(v.value);
    if (from + bytes <= m_.params.size()) std::memcpy(&raw, m_.params.data() + from, bytes);
    if (is_signed(v.type) && bytes < 8)
      raw = static_cast<std::uint64_t>(ptx::sign_extend(static_cast<std::int64_t>(raw), static_cast<int>(8 * bytes)));
    return raw;
  }

  void fill(const frame_value& v) {
    using enum frame_value::source;
    const auto which = static_cast<ptx::special>(v.value);
    if (v.from != special) {
      patterns.set(v.to, v.from == parameter        ? parameter_value(v)
                         : v.from == dynamic_shared ? m_.shared_static_bytes + static_cast<std::uint64_t>(v.value)
                                                    : static_cast<std::uint64_t>(v.value));
    } else if (!is_per_lane(which)) {
      const std::uint64_t x = which == ptx::special::tid_x, y = which == ptx::special::tid_y, z = which == ptx::special::tid_z;
      patterns.set(v.to, special_value(which, 0), {x, y, z});
    } else {
      for (std::uint32_t t = 0; t < m_.abreast * m_.warps * 32; ++t) {
        const std::uint64_t value = special_value(which, t);
        std::memcpy(slot(v.to.index, v.to.bytes, 0) + std::size_t{t} * v.to.bytes, &value, v.to.bytes);
      }
    }
  }

  const machine& m_;
  std::size_t stride_;  // bytes of one 4-byte unit of all threads
  std::size_t frame_bytes_ = 0;
  std::unique_ptr<std::byte[]> frame_storage_;
  std::byte* frame_ = nullptr;
  dynamic_array<frame_value> per_block_;
  dynamic_array<std::byte> shared_storage_;
};

}  // namespace tg::emulator
