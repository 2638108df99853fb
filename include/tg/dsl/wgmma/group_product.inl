// How products of a warpgroup are recorded.
#pragma once

#include <tg/dsl/wgmma/group_product.hpp>

#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void require_warpgroups(source_location where) {
  const int threads = tracer::begin(where).recorded().block.threads();
  if (threads % 128 != 0)
    throw error(code{153}, "wgmma in a block of " + std::to_string(threads) + " threads, whose last warpgroup is not full",
                "make the number of threads a multiple of 128", where);
}

TG_LIBRARY_FUNCTION void fence_products(const ptx::operand& sums, source_location where) {
  auto& t = tracer::begin(where);
  t.settle(sums);
  t.emit(ptx::opcode::wgmma, {ptx::token::fence, ptx::token::sync, ptx::token::aligned}, {});
}

TG_LIBRARY_FUNCTION ptx::operand own_registers(const ptx::operand* parts, std::size_t count) {
  auto& t = tracer::current();
  fixed_array<ptx::operand, 4> own;
  for (std::size_t r = 0; r < count; ++r) {
    own[r] = t.new_register(ptx::token::b32);
    t.assign(ptx::token::b32, own[r], parts[r]);
  }
  const ptx::operand out = t.new_vector(own.data(), count);
  t.settle(out);
  return out;
}

TG_LIBRARY_FUNCTION bool take_zeros(const ptx::operand* registers, std::size_t count) {
  tape& own = tracer::current().recorded();
  for (std::size_t r = 0; r < count; ++r)
    if (!own.values.waits_for_zero(own.fn(), registers[r].id)) return false;
  for (std::size_t r = 0; r < count; ++r) own.values.overwrite(registers[r].id);
  return true;
}

TG_LIBRARY_FUNCTION void emit_product(const group_product_facts& facts, const ptx::operand& sums, const ptx::operand& a,
                                      const ptx::operand& b, const ptx::operand& keeps) {
  using ptx::operand, ptx::token;
  auto& t = tracer::current();
  const token shape = ptx::to_token("m64n" + std::to_string(facts.n) + "k" + std::to_string(facts.k));
  const bool are_bits = facts.left == token::b1;
  t.emit(ptx::opcode::wgmma,
         {token::mma_async, token::sync, token::aligned, shape, facts.sum, facts.left, facts.right, facts.limit,
          are_bits ? token::and_ : token::none, are_bits ? token::popc : token::none},
         {sums, a, b, keeps});
  if (facts.has_sign) {
    t.append(operand::integer(facts.negates_a ? -1 : 1));
    t.append(operand::integer(facts.negates_b ? -1 : 1));
  }
  if (!facts.has_transposes) return;
  if (!facts.a_in_registers) t.append(operand::integer(facts.transposes_a ? 1 : 0));
  t.append(operand::integer(facts.transposes_b ? 1 : 0));
}

TG_LIBRARY_FUNCTION void commit_products() {
  tracer::current().emit(ptx::opcode::wgmma, {ptx::token::commit_group, ptx::token::sync, ptx::token::aligned}, {});
}

TG_LIBRARY_FUNCTION void wait_for_products(int left, source_location where) {
  tracer::begin(where).emit(ptx::opcode::wgmma, {ptx::token::wait_group, ptx::token::sync, ptx::token::aligned},
                            {ptx::operand::integer(left)});
}

TG_LIBRARY_FUNCTION std::size_t recorded_count() { return tracer::current().recorded().fn().body.size(); }

TG_LIBRARY_FUNCTION bool take_back_wait(std::size_t first) {
  auto& body = tracer::current().recorded().fn().body;
  const auto is = [&](std::size_t n, ptx::token what) { return body[n].op == ptx::opcode::wgmma && body[n].has(what); };
  if (body.size() <= first || !is(body.size() - 1, ptx::token::wait_group) || body.back()[0].value != 0) return false;
  for (std::size_t n = first; n < body.size(); ++n)
    if (is(n, ptx::token::mma_async) && body[n][1].is(ptx::operand_kind::vector)) return false;
  body.pop_back();
  return true;
}

}  // namespace tg::detail
