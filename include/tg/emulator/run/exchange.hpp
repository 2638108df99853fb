// What the lanes of a warp exchange: shuffles, votes, matches, reductions, and who must have come for it.
#pragma once

#include <tg/emulator/check/report.hpp>
#include <tg/emulator/check/watch.hpp>

namespace tg::emulator::detail {

/// shfl: each active lane reads another lane's value; out of range it keeps its own.
/// Source: PTX ISA 9.0, 9.7.9.6.
inline void shuffle(block& b, const operation& o, ptx::token mode, std::uint32_t w, std::uint32_t active) {
  std::uint32_t *to = b.words(o, 0, w), *in_range = b.words(o, 1, w);
  const std::uint32_t *from = b.words(o, 2, w), *lane = b.words(o, 3, w), *bounds = b.words(o, 4, w);
  std::array<std::uint32_t, 32> values;
  std::memcpy(values.data(), from, sizeof values);
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t delta = lane[i] & 31, clamp = bounds[i] & 31, segment = (bounds[i] >> 8) & 31;
    const std::uint32_t lowest = i & segment, highest = lowest | (clamp & ~segment);
    std::uint32_t source = i;
    bool is_inside = false;
    switch (mode) {
      case ptx::token::up:
        is_inside = static_cast<std::int32_t>(i - delta) >= static_cast<std::int32_t>(highest);
        source = i - delta;
        break;
      case ptx::token::down:
        is_inside = i + delta <= highest;
        source = i + delta;
        break;
      case ptx::token::bfly:
        is_inside = (i ^ delta) <= highest;
        source = i ^ delta;
        break;
      default:
        source = lowest | (delta & ~segment);
        is_inside = source <= highest;
        break;
    }
    if (is_inside && ((active >> source) & 1) == 0 && b.the_machine().watch != nullptr)
      b.the_machine().watch->absent_lane(b, o, w, i, source);
    to[i] = values[is_inside ? source : i];
    in_range[i] = is_inside ? ~0u : 0u;
  }
}

inline void vote(block& b, const operation& o, ptx::token mode, std::uint32_t w, std::uint32_t active) {
  const std::uint32_t holds = b.the_machine().lanes.bits(b.words(o, 2, w)) & active;
  const std::uint32_t result = mode == ptx::token::ballot ? holds
                               : (mode == ptx::token::all   ? holds == active
                                  : mode == ptx::token::any ? holds != 0
                                                            : holds == 0 || holds == active)
                                   ? ~0u
                                   : 0u;
  for (std::uint32_t left = active; left != 0; left &= left - 1) b.words(o, 0, w)[std::countr_zero(left)] = result;
}

inline void match(block& b, const operation& o, ptx::token mode, std::uint32_t w, std::uint32_t active) {
  const auto value = [&](std::uint32_t lane) {
    std::uint64_t v = 0;
    std::memcpy(&v, b.slot(o, 2, w) + std::size_t{lane} * o.slot_bytes[2], o.slot_bytes[2]);
    return v;
  };
  std::array<std::uint32_t, 32> same{};
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    for (std::uint32_t others = active; others != 0; others &= others - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(others));
      if (value(i) == value(k)) same[i] |= 1u << k;
    }
  }
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    const bool all = same[i] == active;
    b.words(o, 0, w)[i] = mode == ptx::token::any || all ? same[i] : 0;
    b.words(o, 1, w)[i] = all ? ~0u : 0u;
  }
}

inline void reduce_warp(block& b, const operation& o, const warp_exchange& e, std::uint32_t w, std::uint32_t active) {
  const std::uint32_t* const from = b.words(o, 2, w);
  std::uint32_t r = from[std::countr_zero(active)];
  for (std::uint32_t left = active & (active - 1); left != 0; left &= left - 1) {
    const std::uint32_t v = from[std::countr_zero(left)];
    const bool is_less = e.type == lane_type::s32 ? static_cast<std::int32_t>(v) < static_cast<std::int32_t>(r) : v < r;
    switch (e.how) {
      case combine::add: r += v; break;
      case combine::min: r = is_less ? v : r; break;
      case combine::max: r = is_less ? r : v; break;
      case combine::and_: r &= v; break;
      case combine::or_: r |= v; break;
      default: r ^= v; break;
    }
  }
  for (std::uint32_t left = active; left != 0; left &= left - 1) b.words(o, 0, w)[std::countr_zero(left)] = r;
}

/// Runs the exchange among `active` lanes, which all take part in it together.
inline void exchange(block& b, const operation& o, std::uint32_t w, std::uint32_t active) {
  if (o.act == action::sync_warp) return;
  const warp_exchange& e = b.the_machine().image.exchanges[o.detail];
  switch (o.act) {
    case action::shuffle: return shuffle(b, o, e.mode, w, active);
    case action::vote: return vote(b, o, e.mode, w, active);
    case action::match: return match(b, o, e.mode, w, active);
    case action::reduce_warp: return reduce_warp(b, o, e, w, active);
    case action::active_mask:
      for (std::uint32_t left = active; left != 0; left &= left - 1) b.words(o, 0, w)[std::countr_zero(left)] = active;
      return;
    default: {  // elect: the lowest lane
      const auto leader = static_cast<std::uint32_t>(std::countr_zero(active));
      for (std::uint32_t left = active; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        b.words(o, 0, w)[i] = leader;
        b.words(o, 1, w)[i] = i == leader ? ~0u : 0u;
      }
    }
  }
}

/// Lanes at other bar.warp.sync instructions that wait with the same members.
inline std::uint32_t waiting_elsewhere(const block& b, std::uint32_t w, std::uint32_t members, std::uint32_t pc) {
  std::uint32_t lanes = 0;
  for (const warp_part& p : b.warps[w].parts) {
    const operation& o = b.the_machine().image.code[p.pc];
    if (p.waits != wait_reason::members || p.pc == pc || o.act != action::sync_warp) continue;
    for (std::uint32_t left = p.lanes; left != 0; left &= left - 1)
      if (b.words(o, 0, w)[std::countr_zero(left)] == members) lanes |= left & (0u - left);
  }
  return lanes;
}

/// Runs an exchange for each set of lanes whose members have all come.
/// Returns: the lanes of the group's part of `w` that must wait.
inline std::uint32_t exchange_members(block& b, const operation& o, std::uint32_t w) {
  const machine& m = b.the_machine();
  const std::uint32_t active = b.active(o, w), live = b.warps[w].live;
  if (active == 0) return 0;
  const bool syncs = o.act == action::sync_warp || m.image.exchanges[o.detail].is_synchronizing;
  if (!syncs) {
    exchange(b, o, w, active);
    return 0;
  }
  const std::uint32_t* const masks = b.words(o, o.slot_count - 1u, w);
  std::uint32_t waits = 0;
  for (std::uint32_t left = active; left != 0;) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t members = masks[first];
    std::uint32_t here = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1)
      if (masks[std::countr_zero(rest)] == members) here |= rest & (0u - rest);
    left &= ~here;
    if ((here & ~members) != 0) {
      const auto stranger = static_cast<std::uint32_t>(std::countr_zero(here & ~members));
      fail(m, 424, o,
           describe(m, o) + " " + by_thread(b, w, stranger) + ": lane " + std::to_string(stranger) +
               " is not in its member mask " + hex(members),
           "name every lane that runs the instruction in the mask");
    }
    std::uint32_t missing = members & live & ~here;
    if (missing != 0 && o.act == action::sync_warp) {
      const std::uint32_t elsewhere = waiting_elsewhere(b, w, members, b.group.pc);
      if ((missing & ~elsewhere) == 0) {
        for (warp_part& p : b.warps[w].parts)
          if (p.waits == wait_reason::members && p.pc != b.group.pc && (p.lanes & elsewhere) != 0) {
            p.waits = wait_reason::none;
            ++p.pc;
          }
        missing = 0;
      }
    }
    if (missing != 0) {
      waits |= here;
      continue;
    }
    if (o.act == action::sync_warp && m.watch != nullptr) m.watch->meets(b, w, members & live);
    exchange(b, o, w, here);
  }
  return waits;
}

}  // namespace tg::emulator::detail
