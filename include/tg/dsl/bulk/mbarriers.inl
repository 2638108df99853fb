// How operations on mbarriers are recorded.
#pragma once

#include <tg/dsl/bulk/mbarriers.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION tile_registers make_mbarriers(int count, source_location where) {
  return make_tile(std::int64_t{8} * count, where);
}

TG_LIBRARY_FUNCTION void init_mbarriers(const tile_registers& at, int count, const ptx::operand& arrivals, bool is_clustered,
                                        source_location where) {
  using ptx::token;
  auto& t = tracer::begin(where);
  for (int k = 0; k < count; ++k)
    t.emit(ptx::opcode::mbarrier, {token::init, token::shared, token::b64},
           {ptx::operand::address(at.variable, std::int64_t{8} * k), arrivals});
  if (is_clustered) t.emit(ptx::opcode::fence, {token::mbarrier_init, token::release, token::cluster}, {});
  t.emit(ptx::opcode::fence, {token::proxy, token::async, token::shared_cta}, {});
}

TG_LIBRARY_FUNCTION void arrive_at(const ptx::operand& address, std::int64_t bytes, bool is_remote, source_location where) {
  using ptx::token;
  auto& t = tracer::begin(where);
  const ptx::operand sink{.kind = ptx::operand_kind::sink};
  if (is_remote)
    t.emit(ptx::opcode::mbarrier, {token::arrive, token::release, token::cluster, token::shared_cluster, token::b64},
           {sink, address});
  else if (bytes > 0)
    t.emit(ptx::opcode::mbarrier, {token::arrive, token::expect_tx, token::shared, token::b64},
           {sink, address, ptx::operand::integer(bytes)});
  else t.emit(ptx::opcode::mbarrier, {token::arrive, token::shared, token::b64}, {sink, address});
}

TG_LIBRARY_FUNCTION void expect_at(const ptx::operand& address, std::int64_t bytes, source_location where) {
  using ptx::token;
  tracer::begin(where).emit(ptx::opcode::mbarrier, {token::expect_tx, token::relaxed, token::cta, token::shared, token::b64},
                            {address, ptx::operand::integer(bytes)});
}

TG_LIBRARY_FUNCTION void wait_at(const ptx::operand& address, const ptx::operand& parity, bool is_clustered,
                                 source_location where) {
  using ptx::token;
  auto& t = tracer::begin(where);
  t.emit(ptx::opcode::loop, {}, {});
  const ptx::operand done = t.new_register(token::pred);
  if (is_clustered)
    t.emit(ptx::opcode::mbarrier, {token::try_wait, token::parity, token::acquire, token::cluster, token::shared, token::b64},
           {done, address, parity});
  else t.emit(ptx::opcode::mbarrier, {token::try_wait, token::parity, token::shared, token::b64}, {done, address, parity});
  t.emit(ptx::opcode::endloop, {}, {t.compute(token::pred, ptx::operation::bit_not(token::pred), {done})});
}

TG_LIBRARY_FUNCTION ptx::operand test_at(const ptx::operand& address, const ptx::operand& parity, source_location where) {
  using ptx::token;
  auto& t = tracer::begin(where);
  const ptx::operand done = t.new_register(token::pred);
  t.emit(ptx::opcode::mbarrier, {token::test_wait, token::parity, token::shared, token::b64}, {done, address, parity});
  return done;
}

TG_LIBRARY_FUNCTION void invalidate_mbarriers(const tile_registers& at, int count, source_location where) {
  auto& t = tracer::begin(where);
  for (int k = 0; k < count; ++k)
    t.emit(ptx::opcode::mbarrier, {ptx::token::inval, ptx::token::shared, ptx::token::b64},
           {ptx::operand::address(at.variable, std::int64_t{8} * k)});
}

TG_LIBRARY_FUNCTION std::size_t recorded_length() { return tracer::current().recorded().fn().body.size(); }

TG_LIBRARY_FUNCTION void refuse_phase(const char* what, const char* fix, source_location where) {
  throw error(code{147}, std::string("a phase of an mbarrier ") + what, fix, where);
}

TG_LIBRARY_FUNCTION void refuse_within_loop(std::size_t begin, source_location where) {
  const auto& body = tracer::current().recorded().fn().body;
  int open = 0;
  for (std::size_t n = begin; n < body.size(); ++n) {
    if (body[n].op == ptx::opcode::loop) ++open;
    if (body[n].op == ptx::opcode::endloop) --open;
    if (open < 0) open = 0;
  }
  if (open > 0)
    refuse_phase("is that of the first turn of this loop: the second turn would wait for it again",
                 "count phases by tg::bulk_ring, or unroll the loop with tg::unroll; make barriers outside of loops", where);
}

TG_LIBRARY_FUNCTION bool is_in_body_since(std::size_t begin) {
  const auto& body = tracer::current().recorded().fn().body;
  int open = 0;
  for (std::size_t n = begin; n < body.size(); ++n) {
    if (body[n].op == ptx::opcode::loop || body[n].op == ptx::opcode::if_) ++open;
    if (body[n].op == ptx::opcode::endloop || body[n].op == ptx::opcode::endif) --open;
  }
  return open > 0;
}

TG_LIBRARY_FUNCTION void require_arrivals(long long count, source_location where) {
  if (count < 1 || count > (1 << 20) - 1)
    throw error(code{147}, "an mbarrier with " + std::to_string(count) + " arrivals",
                "give it the number of threads that arrive in each phase, 1 to 1048575", where);
}

}  // namespace tg::detail
