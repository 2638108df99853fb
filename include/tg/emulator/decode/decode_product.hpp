// mma and wmma.mma.
#pragma once

#include <tg/emulator/decode/decode_step.hpp>
#include <tg/emulator/matrix/product.hpp>

namespace tg::emulator::detail {

/// Types of D, A, B and C; wmma.mma of f16 names only those of D and C.
inline std::array<ptx::token, 4> product_types(const ptx::instruction& i) {
  const dynamic_array<ptx::token> t = types_of(i);
  if (t.size() == 2) return {t[0], ptx::token::f16, ptx::token::f16, t[1]};
  return {t[0], t[1], t[2], t[3]};
}

inline accumulation accumulation_of(const ptx::instruction& i) {
  using ptx::token;
  if (types_of(i)[0] != token::s32) return accumulation::floating;
  if (i.has(token::xor_)) return accumulation::differing;
  return i.has(token::satfinite) ? accumulation::saturating : accumulation::wrapping;
}

inline accumulator_fragment accumulators(const decoder& d, dynamic_array<slot_ref> registers, fragment_layout layout,
                                         ptx::token type) {
  return {std::move(registers), std::move(layout), type, d.unit().find_convert(lane_type::f32, lane_type::f16),
          d.unit().find_convert(lane_type::f16, lane_type::f32)};
}

/// Whether the first and the second layout token say .row.
inline std::array<bool, 2> are_rows(const ptx::instruction& i) {
  std::array<bool, 2> out{};
  std::size_t n = 0;
  for (const ptx::token t : i.tokens())
    if ((t == ptx::token::row || t == ptx::token::col) && n < 2) out[n++] = t == ptx::token::row;
  return out;
}

/// Where the elements of A and B lie in registers. Those of wmma lie as wmma.load, told the same layout, puts them.
inline std::array<fragment_layout, 2> operand_layouts(const ptx::instruction& i, const matrix_shape& s, std::size_t packed,
                                                      bool is_sparse) {
  const auto [a_by_row, b_by_row] = are_rows(i);
  if (i.op != ptx::opcode::wmma) return {layout_of_a({s.m, s.n, is_sparse ? s.k / 2 : s.k}, packed), layout_of_b(s, packed)};
  return {a_by_row ? layout_by_memory(s.m, s.k, true, packed) : layout_by_memory(s.k, s.m, false, packed),
          b_by_row ? layout_by_memory(s.k, s.n, true, packed) : layout_by_memory(s.n, s.k, false, packed)};
}

inline void decode_product_f64(decoder& d, const ptx::instruction& i) {
  const auto made = std::make_shared<product_f64_step>();
  made->shape = ptx::to_matrix_shape(i.tokens());
  made->mode = floating_mode::of(i);
  made->a = sources_of(d, i[1], lane_type::f64);
  made->b = sources_of(d, i[2], lane_type::f64);
  made->c = sources_of(d, i[3], lane_type::f64);
  made->d = results_of(d, i[0], 8);
  auto [a, b] = operand_layouts(i, made->shape, 1, false);
  made->layout_a = std::move(a);
  made->layout_b = std::move(b);
  made->layout_c = layout_of_c(made->shape);
  append_step(d, made);
}

inline void decode_product(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  const auto [type_d, type_a, type_b, type_c] = product_types(i);
  if (type_d == token::f64) return decode_product_f64(d, i);
  const auto made = std::make_shared<product_step>();
  const matrix_shape shape = made->shape = ptx::to_matrix_shape(i.tokens());
  made->how = accumulation_of(i);
  made->a = {sources_of(d, i[1]), {}, element_of(type_a, d.unit())};
  made->b = {sources_of(d, i[2]), {}, element_of(type_b, d.unit())};
  const std::size_t packed = made->a.element.per_register();
  fragment_layout layout_c = layout_of_c(shape), layout_d = layout_c;
  if (i.op == ptx::opcode::mma && i.has(token::m8n8k4)) {
    const auto [a_by_row, b_by_row] = are_rows(i);
    made->batches = 4;
    made->a.layout = quad_pair::a(a_by_row);
    made->b.layout = quad_pair::b(b_by_row);
    layout_c = type_c == token::f16 ? quad_pair::c_f16() : quad_pair::c_f32();
    layout_d = type_d == token::f16 ? quad_pair::c_f16() : quad_pair::c_f32();
  } else {
    const bool is_sparse = i.has(token::sp) || i.has(token::sp_ordered_metadata);
    auto [a, b] = operand_layouts(i, shape, packed, is_sparse);
    made->a.layout = std::move(a);
    made->b.layout = std::move(b);
    if (is_sparse)
      made->sparse = {d.source(i[4], lane_type::u32), static_cast<std::uint32_t>(i[5].value), made->a.element.bits};
  }
  made->c = accumulators(d, sources_of(d, i[3]), std::move(layout_c), type_c);
  made->d = accumulators(d, results_of(d, i[0]), std::move(layout_d), type_d);
  append_step(d, made);
}

}  // namespace tg::emulator::detail
