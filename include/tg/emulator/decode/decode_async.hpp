// Asynchronous copies, mbarriers and clusters.
#pragma once

#include <tg/emulator/decode/decode_memory.hpp>
#include <tg/emulator/image/cluster_window.hpp>
#include <tg/emulator/image/mbarrier.hpp>
#include <tg/ptx/ir/async_space.hpp>

namespace tg::emulator {

namespace detail {

/// An asynchronous operation while it is decoded: its slots, its use, its addresses.
class async_decoder {
 public:
  async_decoder(decoder& d, const ptx::instruction& i, async_act act) : d_(d), i_(i) { use_.act = act; }

  async_use* operator->() { return &use_; }

  void result(slot_ref s) {
    slots_.push_back(s);
    ++results_;
  }
  void value(slot_ref s) { slots_.push_back(s); }
  void value(std::size_t k, lane_type t) { slots_.push_back(d_.source(i_[k], t)); }

  /// Up to four values of 16 bits in one slot, the first lowest.
  void value(std::span<const slot_ref> halves) {
    slot_ref all = d_.number(0, 8);
    for (std::size_t k = 0; k < halves.size(); ++k) {
      const slot_ref wide = d_.spare(8), placed = d_.spare(8), joined = d_.spare(8);
      d_.convert(lane_type::u64, lane_type::u16, wide, halves[k]);
      d_.lanes(lane_op::shl, lane_type::u64, placed, {wide, d_.number(static_cast<std::int64_t>(16 * k), 4)});
      d_.lanes(lane_op::or_, lane_type::u64, joined, {all, placed});
      all = joined;
    }
    slots_.push_back(all);
  }

  /// Operand `k` is an address in `space`; it is written to where `is_write` says so.
  void address(std::size_t k, ptx::token space, bool is_write, bool is_cluster = false) {
    memory_access access;
    access.space = space;
    access.is_write = is_write;
    access.is_cluster = is_cluster;
    addresses_[use_.address_count] = base_of(d_, i_[k], access);
    access.number = static_cast<std::uint32_t>(d_.image().accesses.size());
    use_.accesses[use_.address_count++] = access.number;
    d_.image().accesses.push_back(access);
  }

  void finish() {
    operation& made = d_.append(action::asynchronous);
    for (const slot_ref s : slots_) d_.add_slot(made, s);
    for (std::size_t k = 0; k < use_.address_count; ++k) d_.add_slot(made, addresses_[k]);
    made.result_count = results_;
    made.detail = static_cast<std::uint32_t>(d_.image().async_uses.size());
    d_.image().async_uses.push_back(use_);
  }

 private:
  decoder& d_;
  const ptx::instruction& i_;
  async_use use_;
  dynamic_array<slot_ref> slots_;
  std::uint8_t results_ = 0;
  std::array<slot_ref, 3> addresses_;
};

inline ptx::token async_space_of(const ptx::instruction& i, std::size_t k) {
  const auto named = ptx::async_space(i, k);
  return named ? space_or_generic(*named) : space_of(i);
}

/// cp.async of 4 to 16 bytes, its groups and waits.
inline void decode_copy(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::mbarrier)) {
    async_decoder made(d, i, async_act::arrive_after_copies);
    made->counts_itself = !i.has(token::noinc);
    made.address(0, space_of(i), true);
    return made.finish();
  }
  if (i.has(token::commit_group)) return async_decoder(d, i, async_act::commit_group).finish();
  if (i.has(token::wait_group) || i.has(token::wait_all)) {
    async_decoder made(d, i, async_act::wait_group);
    made->waits_for_all = i.has(token::wait_all);
    made->number = made->waits_for_all ? 0 : static_cast<std::uint32_t>(i[0].value);
    return made.finish();
  }
  async_decoder made(d, i, async_act::copy);
  made->bytes = static_cast<std::uint32_t>(i[2].value);
  const bool has_policy = i.has(token::L2_cache_hint);
  if (i.operand_count == (has_policy ? 5 : 4)) {
    const bool is_predicate = i[3].is_reg() && d.function().registers[i[3].id].type == token::pred;
    made->has_ignore = is_predicate;
    made->has_size = !is_predicate;
    made.value(is_predicate ? d.predicate(i[3]) : d.source(i[3], lane_type::u32));
  }
  made.address(0, token::shared, true);
  made.address(1, token::global, false);
  made.finish();
}

/// What a reduction does, and to which elements.
inline void set_reduction(decoder& d, const ptx::instruction& i, async_decoder& made, ptx::token type) {
  using ptx::token;
  made->reduces = true;
  made->type = type;
  for (const token t : i.tokens())
    if (t == token::add || t == token::min || t == token::max || t == token::inc || t == token::dec || t == token::and_ ||
        t == token::or_ || t == token::xor_)
      made->how = t;
  if (made->how == token::none) d.refuse();
}

/// cp.async.bulk, cp.reduce.async.bulk and their groups.
inline void decode_bulk(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::commit_group)) return async_decoder(d, i, async_act::bulk_commit_group).finish();
  if (i.has(token::wait_group)) {
    async_decoder made(d, i, async_act::bulk_wait_group);
    made->number = static_cast<std::uint32_t>(i[0].value);
    made->only_reads = i.has(token::read);
    return made.finish();
  }
  if (i.has(token::prefetch)) {
    d.append(action::nothing);
    return;
  }
  const bool loads = i.has(token::mbarrier_complete_tx_bytes), is_tensor = i.has(token::tensor);
  async_decoder made(d, i,
                     is_tensor ? (loads ? async_act::tensor_load : async_act::tensor_store)
                               : (loads ? async_act::bulk_load : async_act::bulk_store));
  made->is_multicast = i.has(token::multicast_cluster);
  made->is_im2col = i.has(token::im2col) || i.has(token::im2col_no_offs);
  if (i.has(token::reduce)) set_reduction(d, i, made, i.type());
  const std::size_t map = loads ? 1 : 0;
  if (is_tensor) {
    const auto coordinates = d.function().parts(i[map + 1]);
    made->dimensions = static_cast<std::uint8_t>(coordinates.size());
    for (const ptx::operand& c : coordinates) made.value(d.source(c, lane_type::s32));
  } else {
    made.value(2, lane_type::u32);
  }
  if (i.has(token::im2col)) {
    dynamic_array<slot_ref> halves{made->is_multicast ? d.source(i[5], lane_type::u16) : d.number(0, 4)};
    for (const ptx::operand& o : d.function().parts(i[4])) halves.push_back(d.source(o, lane_type::u16));
    made.value(halves);
  } else if (made->is_multicast) {
    made.value(4, lane_type::u16);
  }
  const auto put = [&](std::size_t k, bool is_write) {
    made.address(k, async_space_of(i, k), is_write, k == 0 ? i.has(token::shared_cluster) : k == 3);
  };
  if (is_tensor && !loads) {
    put(0, false);
    put(2, false);
  } else {
    put(0, true);
    put(1, false);
    if (loads) put(3, true);
  }
  made.finish();
}

/// st.async and red.async.
inline void decode_remote_store(decoder& d, const ptx::instruction& i) {
  async_decoder made(d, i, async_act::remote_store);
  const lane_type t = to_lane_type(i.type());
  made->bytes = width_bits(t) / 8;
  if (i.op == ptx::opcode::red) set_reduction(d, i, made, i.type());
  const auto elements = elements_of(d, i[1]);
  made->elements = static_cast<std::uint8_t>(elements.size());
  for (const ptx::operand& e : elements) made.value(d.source(e, t));
  for (const std::size_t k : {0, 2}) made.address(k, async_space_of(i, k), true, true);
  made.finish();
}

inline void decode_tensormap(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::cp_fenceproxy)) {
    async_decoder made(d, i, async_act::tensor_map_copy);
    made.address(0, token::global, true);
    made.address(1, token::shared, false);
    return made.finish();
  }
  async_decoder made(d, i, async_act::tensor_map_replace);
  made->field = i.tokens()[2];
  const bool has_ordinal = i.operand_count == 3;
  if (has_ordinal) made->number = static_cast<std::uint32_t>(i[1].value);
  if (has_ordinal && i[1].value > 4) d.refuse("names a dimension past the fifth");
  made.value(has_ordinal ? 2 : 1, i.type() == token::b64 ? lane_type::u64 : lane_type::u32);
  made.address(0, space_of(i), true);
  made.finish();
}

inline void decode_mbarrier(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const auto at_mbarrier = [&](async_act act, std::size_t address, auto fill) {
    async_decoder made(d, i, act);
    fill(made);
    made.address(address, space_of(i), true, i.has(token::shared_cluster));
    made.finish();
  };
  if (i.has(token::pending_count)) {
    const slot_ref state = d.source(i[1], lane_type::u64), low = d.spare(8), to = d.result(i[0], 4);
    d.lanes(lane_op::and_, lane_type::u64, low, {state, d.number(mbarrier::max_count, 8)});
    return d.convert(lane_type::u32, lane_type::u64, to, low);
  }
  if (i.has(token::init)) return at_mbarrier(async_act::mbarrier_init, 0, [&](auto& made) { made.value(1, lane_type::u32); });
  if (i.has(token::inval)) return at_mbarrier(async_act::mbarrier_inval, 0, [](auto&) {});
  if (i.has(token::test_wait) || i.has(token::try_wait))
    return at_mbarrier(async_act::mbarrier_wait, 1, [&](auto& made) {
      made->is_parity = i.has(token::parity);
      made->is_relaxed = i.has(token::relaxed);
      made.result(d.result(i[0], 4));
      made.value(2, made->is_parity ? lane_type::u32 : lane_type::u64);
    });
  if (i.has(token::arrive) || i.has(token::arrive_drop))
    return at_mbarrier(async_act::mbarrier_arrive, 1, [&](auto& made) {
      made->has_state = i[0].kind != ptx::operand_kind::sink;
      made->drops = i.has(token::arrive_drop);
      made->is_relaxed = i.has(token::relaxed);
      made->expects = i.has(token::expect_tx);
      made->may_complete = !i.has(token::noComplete);
      made->has_count = i.operand_count > 2;
      if (made->has_state) made.result(d.result(i[0], 8));
      if (made->has_count) made.value(2, lane_type::u32);
    });
  at_mbarrier(async_act::mbarrier_transactions, 0, [&](auto& made) {
    made->expects = i.has(token::expect_tx);
    made.value(1, lane_type::u32);
  });
}

/// mapa: the address of a place in the shared memory of another block of the cluster. Its upper bits say which block.
inline void decode_mapa(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const bool is_generic = !i.has(ptx::token::shared_cluster);
  const std::uint64_t window = cluster_window - (is_generic ? 0 : shared_window);
  const slot_ref to = d.result(i[0], t);
  const slot_ref own = d.source(i[1], t), rank = d.source(i[2], lane_type::u32);
  const slot_ref low = d.spare(t), wide = t == lane_type::u64 ? d.spare(t) : rank, high = d.spare(t), begin = d.spare(t);
  d.lanes(lane_op::and_, t, low, {own, d.number(static_cast<std::int64_t>(window_bytes - 1), t)});
  if (t == lane_type::u64) d.convert(lane_type::u64, lane_type::u32, wide, rank);
  d.lanes(lane_op::mul, t, high, {wide, d.number(static_cast<std::int64_t>(window_bytes), t)});
  d.lanes(lane_op::add, t, begin, {high, d.number(static_cast<std::int64_t>(window), t)});
  d.lanes(lane_op::add, t, to, {begin, low});
}

inline void decode_cluster_barrier(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  async_decoder made(d, i, i.has(token::arrive) ? async_act::cluster_arrive : async_act::cluster_wait);
  made->is_relaxed = i.has(token::relaxed);
  made.finish();
}

inline void decode_getctarank(decoder& d, const ptx::instruction& i) {
  const lane_type t = to_lane_type(i.type());
  const bool is_generic = !i.has(ptx::token::shared_cluster);
  const std::uint64_t window = cluster_window - (is_generic ? 0 : shared_window);
  const slot_ref to = d.result(i[0], 4), address = d.source(i[1], t);
  const slot_ref past = d.spare(t), number = d.spare(t), is_own = d.spare(4);
  const slot_ref low = t == lane_type::u64 ? d.spare(4) : number;
  const slot_ref own = d.constant(frame_value::source::special, static_cast<std::int64_t>(ptx::special::cluster_ctarank), 4);
  d.lanes(lane_op::sub, t, past, {address, d.number(static_cast<std::int64_t>(window), t)});
  d.lanes(lane_op::div, t, number, {past, d.number(static_cast<std::int64_t>(window_bytes), t)});
  if (t == lane_type::u64) d.convert(lane_type::u32, lane_type::u64, low, number);
  d.lanes(lane_op::lt, t, is_own, {address, d.number(static_cast<std::int64_t>(window), t)});
  d.lanes(lane_op::select, lane_type::u32, to, {own, low, is_own});
}

}  // namespace detail

/// Returns: false when `i` is none of these.
inline bool decode_async(decoder& d, const ptx::instruction& i) {
  using ptx::opcode;
  using ptx::token;
  using namespace detail;
  switch (i.op) {
    case opcode::cp:
      if (i.has(token::bulk)) decode_bulk(d, i);
      else decode_copy(d, i);
      return true;
    case opcode::st:
    case opcode::red:
      if (!i.has(token::async)) return false;
      decode_remote_store(d, i);
      return true;
    case opcode::tensormap: decode_tensormap(d, i); return true;
    case opcode::mbarrier: decode_mbarrier(d, i); return true;
    case opcode::barrier:
      if (!i.has(token::cluster)) return false;
      decode_cluster_barrier(d, i);
      return true;
    case opcode::mapa: decode_mapa(d, i); return true;
    case opcode::getctarank: decode_getctarank(d, i); return true;
    default: return false;
  }
}

}  // namespace tg::emulator
