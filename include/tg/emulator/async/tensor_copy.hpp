// cp.async.bulk.tensor, its reductions, and changes of tensor maps on the device.
#pragma once

#include <memory>

#include <tg/emulator/async/bulk.hpp>
#include <tg/emulator/async/tensor_box.hpp>

namespace tg::emulator::detail {

/// The map there, of the kind that the instruction names.
template <class Tensor> Tensor read_map(const async_lane& lane, std::size_t address) {
  constexpr bool is_im2col = std::is_same_v<Tensor, im2col_tensor>;
  tensor_map map;
  std::memcpy(map.bytes.data(), lane.place(address, sizeof map.bytes, 64), sizeof map.bytes);
  const auto tensor = unpack<Tensor>(map);
  if (!tensor)
    lane.refuse(455,
                std::string("finds no tensor map of ") + (is_im2col ? "im2col" : "tiles") + " at " + hex(lane.address(address)),
                std::string("encode it with cuTensorMapEncode") + (is_im2col ? "Im2col" : "Tiled") +
                    " and pass it as a __grid_constant__ parameter");
  if (const std::string_view broken = broken_rule(*tensor); !broken.empty())
    lane.refuse(455, "uses a tensor map that breaks a rule: " + std::string(broken), "encode it anew");
  if (tensor->interleave != tensor_interleave::none)
    lane.refuse(455, "uses an interleaved tensor, which the emulator does not run", "use no interleave");
  if (tensor->rank != lane.use.dimensions)
    lane.refuse(455, "uses a tensor map of " + std::to_string(tensor->rank) + " dimensions", "name as many as it has");
  return *tensor;
}

/// What a copy moves whose coordinates are the first slots.
inline tensor_box read_box(const async_lane& lane, std::size_t map) {
  tensor_index at{};
  for (std::size_t k = 0; k < lane.use.dimensions; ++k) at[k] = static_cast<std::int32_t>(lane.value(k));
  // Source of these rules: an H100, where any other copy is an illegal instruction.
  const bool is_store = lane.use.act == async_act::tensor_store;
  if (is_store && *std::min_element(at.begin(), at.end()) < 0)
    lane.refuse(455, "begins outside of the tensor, at a negative coordinate, which only loads may",
                "store what is inside, with a smaller box");
  const auto require_start = [&](const tensor_shape& tensor) {
    const std::int64_t bytes = at[0] * element_bytes(tensor.type);
    if (bytes % 16 != 0)
      lane.refuse(455,
                  "begins at element " + std::to_string(at[0]) + " of a row, " + std::to_string(bytes) +
                      " bytes from its beginning, which is no multiple of 16",
                  "begin at a multiple of 16 bytes");
  };
  if (!lane.use.is_im2col) {
    const auto tensor = read_map<tiled_tensor>(lane, map);
    require_start(tensor);
    return {tensor, at};
  }
  const auto tensor = read_map<im2col_tensor>(lane, map);
  require_start(tensor);
  im2col_offsets offsets{};
  if (!is_store)
    for (std::size_t k = 0; k < offsets.size(); ++k)
      offsets[k] = static_cast<std::uint16_t>(lane.value(lane.use.dimensions) >> (16 * k + 16));
  if (const std::string_view broken = broken_rule(tensor, at, offsets, is_store); !broken.empty())
    lane.refuse(455, "breaks a rule: " + std::string(broken), "change coordinates, offsets or the map's corners");
  return {tensor, at, offsets};
}

/// The box of a copy. All of it that is inside the tensor is in memory.
inline std::shared_ptr<const tensor_box> find_box(const async_lane& lane, std::size_t map) {
  const auto box = std::make_shared<const tensor_box>(read_box(lane, map));
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (std::uint32_t r = 0; r < box->rows(); ++r) {
    const tensor_box::row row = box->find(r);
    if (row.bytes == 0) continue;
    begin = std::min(begin, row.address);
    end = std::max(end, row.address + row.bytes);
  }
  if (begin < end) {
    memory_access access;
    access.space = ptx::token::global;
    access.number = lane.use.accesses[map];
    access.is_write = lane.use.act == async_act::tensor_store;
    lane.memory.place(lane.b, lane.o, access, lane.warp, lane.lane, begin, static_cast<std::uint32_t>(end - begin), 1);
  }
  return box;
}

/// Calls `visit(shared, global, bytes)` for each piece of the box that is contiguous on both sides; `global` is null
/// for what is outside the tensor.
template <class Visit> void each_piece(const tensor_box& box, std::byte* tile, std::uint32_t tile_offset, Visit visit) {
  constexpr std::uint32_t chunk = 16;
  for (std::uint32_t r = 0; r < box.rows(); ++r) {
    const tensor_box::row row = box.find(r);
    for (std::uint32_t at = 0; at < box.row_bytes(); at += chunk) {
      const std::uint32_t offset = tile_offset + r * box.row_pitch() + at;
      std::byte* const shared = tile + (std::int64_t{swizzled(offset, box.tensor().swizzle)} - tile_offset);
      const std::uint32_t first = std::clamp(row.skip_bytes, at, at + chunk),
                          last = std::clamp(row.skip_bytes + row.bytes, first, at + chunk);
      if (first > at) visit(shared, nullptr, first - at);
      if (last > first) visit(shared + (first - at), byte_at(row.address + (first - row.skip_bytes)), last - first);
      if (at + chunk > last) visit(shared + (last - at), nullptr, at + chunk - last);
    }
  }
}

/// Slots: coordinates, mask of a multicast with the offsets of im2col above it. Addresses: to, map, mbarrier.
inline void begin_tensor_load(const async_lane& lane) {
  const auto box = find_box(lane, 1);
  std::byte* const to = lane.place(0, box->shared_bytes(), 128);
  std::byte* const bar = lane.place(2, 8, 8);
  const block &of_data = *lane.b.cluster->owner(to), &of_bar = *lane.b.cluster->owner(bar);
  if (!lane.use.is_multicast) check_same_block(lane, of_data, of_bar);
  for (block* const receiver : receivers(lane, lane.use.dimensions, to)) {
    const mbarrier_place where(lane.b, lane.o, lane.thread(), *receiver, same_place(*receiver, of_bar, bar));
    std::byte* const there = same_place(*receiver, of_data, to);
    const auto offset = static_cast<std::uint32_t>(there - receiver->shared);
    const check::async_work work = work_until(lane, where);
    each_piece(*box, there, offset,
               [&](const std::byte* s, const std::byte* g, std::uint32_t bytes) { follow(lane, work, work, s, g, bytes); });
    begin_load(lane, where, box->bytes(), [&b = lane.b, &o = lane.o, box, there, offset] {
      const std::array<std::byte, 8> fill = box->fill();
      const std::uint32_t unit = element_bytes(box->tensor().type);
      each_piece(*box, there, offset, [&](std::byte* s, const std::byte* g, std::uint32_t bytes) {
        if (g != nullptr) transfer(b, o, s, g, bytes);
        else transfer_fill(b, o, s, fill.data(), unit, bytes);
      });
    });
  }
}

/// The type whose elements a reduction into `t` adds.
constexpr ptx::token reduced_type(tensor_type t, ptx::token how) {
  using enum ptx::token;
  constexpr ptx::token types[] = {u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32, f32, f32};
  const bool is_logic = how == and_ || how == or_ || how == xor_;
  return is_logic ? ptx::bits_type(static_cast<int>(8 * element_bytes(t))) : types[static_cast<std::size_t>(t)];
}

/// Slots: coordinates. Addresses: map, from.
inline void begin_tensor_store(const async_lane& lane) {
  const auto box = find_box(lane, 0);
  std::byte* const from = lane.place(1, box->shared_bytes(), 128);
  const auto offset = static_cast<std::uint32_t>(from - lane.b.shared);
  const check::async_work reads = work_of_group(lane, check::engine::bulk_reads),
                          writes = work_of_group(lane, check::engine::bulk_writes);
  each_piece(*box, from, offset, [&](const std::byte* s, const std::byte* g, std::uint32_t bytes) {
    if (g != nullptr) follow(lane, reads, writes, g, s, bytes);
  });
  begin_store(lane, [&b = lane.b, &o = lane.o, &use = lane.use, box, from, offset] {
    each_piece(*box, from, offset, [&](const std::byte* s, std::byte* g, std::uint32_t bytes) {
      if (g == nullptr) return;
      if (use.reduces) reduce(b.the_machine(), use.how, reduced_type(box->tensor().type, use.how), g, s, bytes);
      else transfer(b, o, g, s, bytes);
    });
  });
}

/// tensormap.replace. Slots: the new value. Addresses: the map.
/// Source: PTX ISA 9.0, 9.7.9.28.1 "tensormap.replace".
inline void replace_field(const async_lane& lane) {
  using ptx::token;
  std::byte* const place = lane.place(0, 128, 64);
  tensor_map map;
  std::memcpy(map.bytes.data(), place, sizeof map.bytes);
  auto t = unpack<tiled_tensor>(map);
  if (!t) lane.refuse(455, "finds no tensor map of tiles there", "copy an encoded map to it first");
  const std::uint64_t value = lane.value(0);
  const auto word = static_cast<std::uint32_t>(value);
  const std::size_t k = lane.use.number;
  constexpr tensor_type types[] = {tensor_type::u8,      tensor_type::u16, tensor_type::u32,  tensor_type::s32,
                                   tensor_type::u64,     tensor_type::s64, tensor_type::f16,  tensor_type::f32,
                                   tensor_type::f32_ftz, tensor_type::f64, tensor_type::bf16, tensor_type::tf32,
                                   tensor_type::tf32_ftz};
  switch (lane.use.field) {
    case token::global_address: t->address = value; break;
    case token::rank: t->rank = word + 1; break;
    case token::box_dim: t->box[k] = word; break;
    case token::global_dim: t->extents[k] = word; break;
    case token::global_stride: t->strides[k] = value; break;
    case token::element_stride: t->steps[k] = word; break;
    case token::elemtype: t->type = types[std::min<std::size_t>(word, std::size(types) - 1)]; break;
    case token::interleave_layout: t->interleave = static_cast<tensor_interleave>(word); break;
    case token::swizzle_mode: t->swizzle = static_cast<tensor_swizzle>(word); break;
    default: t->fill = static_cast<tensor_fill>(word); break;
  }
  map = pack(*t);
  transfer(lane.b, lane.o, place, map.bytes.data(), sizeof map.bytes);
}

/// tensormap.cp_fenceproxy. Addresses: to, from.
inline void copy_map(const async_lane& lane) {
  std::byte* const to = lane.place(0, 128, 128);
  transfer(lane.b, lane.o, to, lane.place(1, 128, 128), 128);
}

}  // namespace tg::emulator::detail
