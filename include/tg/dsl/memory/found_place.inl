// The addresses of elements of views and tiles, recorded, and what is recorded of their accesses.
#pragma once

#include <tg/dsl/memory/found_place.hpp>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/recorder/element_address.hpp>
#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void load_registers(const place& p, ptx::token reg, ptx::token type, ptx::operand* registers,
                                        std::size_t count) {
  auto& t = tracer::current();
  for (std::size_t k = 0; k < count; ++k) registers[k] = t.new_register(reg);
  const ptx::operand target = count == 1 ? registers[0] : t.new_vector(registers, count);
  t.load({p.space, p.policy, p.cache, p.fetch, vector_token(count), type}, target, p.address, p.entry);
}

TG_LIBRARY_FUNCTION void store_registers(const place& p, const ptx::operand* registers, std::size_t count, ptx::token type) {
  auto& t = tracer::current();
  const ptx::operand source = count == 1 ? registers[0] : t.new_vector(registers, count);
  access entry = p.entry;
  entry.is_write = true;
  t.store({p.space, p.policy, vector_token(count), type}, p.address, source, entry);
}

TG_LIBRARY_FUNCTION ptx::operand load_view(tracer& t, const view_facts& facts, int element_bytes, ptx::operand* strides) {
  const ptx::operand generic = t.load_parameter(ptx::token::b64, ptx::token::u64);
  const ptx::operand base =
      t.compute(ptx::token::b64, ptx::opcode::cvta, {ptx::token::to, ptx::token::global, ptx::token::u64}, {generic});
  for (int k = facts.rank - 2; k >= 0; --k) {
    const dimension_step step = facts.step(k);
    const ptx::token type = stride_type(facts.rank, k);
    const ptx::token reg = type == ptx::token::u32 ? ptx::token::b32 : ptx::token::b64;
    if (!step.is_known) strides[k] = t.load_parameter(reg, type, step.elements * element_bytes);
  }
  return base;
}

TG_LIBRARY_FUNCTION ptx::operand view_address(const view_registers& view, int element_bytes, const index_operand* at) {
  // The innermost dimension first: its product is shared by rows, and its constants become the offset.
  element_address out(tracer::current(), view.base);
  const view_facts& facts = *view.facts;
  for (int k = facts.rank - 1; k >= 0; --k) {
    const dimension_step step = facts.step(k);
    if (step.is_known) out.add(at[k].operand, at[k].type, step.elements * element_bytes);
    else out.add(at[k].operand, at[k].type, view.strides[k], stride_type(facts.rank, k));
  }
  return out.get();
}

inline access judge_global(const access_facts<analysis::global_cost>& known, const recorded_request& request,
                           source_location where) {
  auto& t = tracer::current();
  access a{.where = where, .element_bytes = known.element_bytes, .access_bytes = known.access_bytes};
  if (known.is_gathered) a.verdict = verdict::gather;
  if (!known.costs.worst) {
    judge_recorded(t, request, a);
  } else {
    keep_costs(a, *known.costs.worst, known.costs.distinct, known.costs.like);
    if (may_have_siblings(*known.costs.worst) && known.excused != 202) judge_with_siblings(t, request, a);
  }
  return a;
}

TG_LIBRARY_FUNCTION place find_in_view(const view_registers& view, const access_facts<analysis::global_cost>& known,
                                       ptx::token cache, const index_operand* at, source_location where, const char* reason) {
  place out{.address = {},
            .space = ptx::token::global,
            .cache = cache,
            .entry = judge_global(known, to_request(*view.facts, at, known.excused), where)};
  out.entry.reason = reason;
  out.entry.parameter = view.number;
  out.address = view_address(view, known.element_bytes, at);
  return out;
}

TG_LIBRARY_FUNCTION tile_registers make_tile(std::int64_t bytes, source_location where) {
  auto& t = tracer::begin(where);
  const ptx::operand variable = t.new_tile(bytes);
  return {variable, t.copy(ptx::token::b32, ptx::token::u32, variable)};
}

/// Its low 32 bits, in which the addresses of shared memory are computed.
inline ptx::operand to_word(tracer& t, const ptx::operand& x, ptx::token type) {
  if ((type != ptx::token::u64 && type != ptx::token::s64) || !x.is_reg()) return x;
  return t.compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, type), {x});
}

TG_LIBRARY_FUNCTION recorded_index to_linear(const index_operand* at, int rank, const ptx::operand* pitches,
                                             std::int64_t gathered) {
  auto& t = tracer::current();
  bool is_signed = false;
  for (int k = 0; k < rank; ++k) is_signed = is_signed || at[k].type == ptx::token::s32;
  const ptx::token type = is_signed ? ptx::token::s32 : ptx::token::u32;
  const auto sum_of = [&](bool with_gathered) {
    ptx::operand sum;
    for (int k = 0; k < rank; ++k) {
      if (!with_gathered && at[k].multiple != 0) continue;
      ptx::operand own = to_word(t, at[k].operand, at[k].type);
      if (k + 1 != rank) own = t.compute(ptx::token::b32, ptx::operation::mul_low(type), {own, pitches[k]});
      sum = sum.is(ptx::operand_kind::none) ? own : t.compute(ptx::token::b32, ptx::operation::add(type), {sum, own});
    }
    return sum;
  };
  recorded_index out{.operand = sum_of(true)};
  if (gathered != 0) {
    out.rest = sum_of(false);
    out.multiple = gathered;
  }
  return out;
}

/// `index` with the bits of each term xored to it.
inline ptx::operand swizzled(const tile_layout& layout, const ptx::operand& index) {
  constexpr ptx::token word = ptx::token::b32;
  auto& t = tracer::current();
  ptx::operand out = index, bits;
  int from = -1, count = 0, base = 0;  // the bits that the last term read, and where it put them
  for (int k = 0; k < layout.term_count; ++k) {
    const analysis::swizzle_bits& term = layout.terms[k];
    if (term.base + term.shift == from && term.bits == count && term.base > base) {
      bits = t.compute(word, ptx::operation::shl(word), {bits, ptx::operand::integer(term.base - base)});
    } else {
      const std::int64_t mask = ((std::int64_t{1} << term.bits) - 1) << term.base;
      const ptx::operand high =
          t.compute(word, ptx::operation::shr(ptx::token::u32), {index, ptx::operand::integer(term.shift)});
      bits = t.compute(word, ptx::operation::bit_and(word), {high, ptx::operand::integer(mask)});
    }
    out = t.compute(word, ptx::operation::bit_xor(word), {out, bits});
    from = term.base + term.shift, count = term.bits, base = term.base;
  }
  return out;
}

TG_LIBRARY_FUNCTION recorded_index to_physical(const tile_layout& layout, const index_operand* at, std::int64_t gathered) {
  fixed_array<ptx::operand, most_ranks> pitches;
  for (int k = 0; k < layout.rank; ++k) pitches[static_cast<std::size_t>(k)] = ptx::operand::integer(layout.pitches[k]);
  recorded_index out = to_linear(at, layout.rank, pitches.data(), gathered);
  if (layout.term_count == 0) return out;
  out.operand = swizzled(layout, out.operand);
  out.rest = {};
  return out;
}

TG_LIBRARY_FUNCTION ptx::operand address_from(const ptx::operand& base, int element_bytes, const ptx::operand& index) {
  auto& t = tracer::current();
  const ptx::operand offset =
      t.compute(ptx::token::b32, ptx::operation::mul_low(ptx::token::u32), {index, ptx::operand::integer(element_bytes)});
  return ptx::operand::address(t.compute(ptx::token::b32, ptx::operation::add(ptx::token::u32), {base, offset}));
}

TG_LIBRARY_FUNCTION ptx::operand tile_address(const tile_registers& tile, int element_bytes, const ptx::operand& index) {
  if (index.is(ptx::operand_kind::integer)) return ptx::operand::address(tile.variable, index.value * element_bytes);
  return address_from(tile.base, element_bytes, index);
}

TG_LIBRARY_FUNCTION access judge_shared(const access_facts<analysis::shared_cost>& known, const recorded_index& index,
                                        source_location where) {
  access a{.where = where, .is_shared = true, .element_bytes = known.element_bytes, .access_bytes = known.access_bytes};
  if (known.is_gathered) a.verdict = verdict::gather;
  if (known.costs.worst) {
    keep_costs(a, *known.costs.worst, known.costs.distinct, known.costs.like);
  } else if (known.matrices == 0 || !known.is_gathered) {
    recorded_request request = to_request(index, known.excused);
    request.matrices = known.matrices;
    judge_recorded(tracer::current(), request, a);
  }
  return a;
}

// Numbers of C++ among the indices, of which a row has as many elements as the access moves.
inline void require_inside(const tile_layout& layout, const index_operand* at, const access_facts<analysis::shared_cost>& known,
                           source_location where) {
  for (int k = 0; k < layout.rank; ++k) {
    if (!at[k].operand.is(ptx::operand_kind::integer)) continue;
    const std::int64_t index = at[k].operand.value, extent = layout.extents[k];
    const int together =
        k + 1 == layout.rank && known.access_bytes > known.element_bytes ? known.access_bytes / known.element_bytes : 1;
    if (index >= 0 && index + together <= extent) continue;
    tracer::current(where).at(where);
    refuse_position("tile", index, static_cast<int>(extent), "use numbers inside the extents of the tile");
  }
}

TG_LIBRARY_FUNCTION place find_in_tile(const tile_layout& layout, const tile_registers& tile,
                                       const access_facts<analysis::shared_cost>& known, const index_operand* at,
                                       std::int64_t gathered, source_location where, const char* reason) {
  require_inside(layout, at, known, where);
  const recorded_index index = to_physical(layout, at, gathered);
  place out{.address = {}, .space = ptx::token::shared, .entry = judge_shared(known, index, where)};
  out.entry.reason = reason;
  out.address = tile_address(tile, known.element_bytes, index.operand);
  return out;
}

}  // namespace tg::detail
