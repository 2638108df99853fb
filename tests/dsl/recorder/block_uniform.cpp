#include <tg/dsl/recorder/block_uniform.hpp>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/warp/warp.hpp>

#include "../recording.hpp"

TEST_CASE("parameters and the number of the block are the same in all threads of it") {
  recording::of([](auto block, recording::parameters p) {
    auto& tape = tg::detail::tracer::current().recorded();
    const auto is_uniform = [&](const auto& v) { return tg::detail::is_block_uniform(tape, v.get().operand); };
    CHECK(is_uniform(p.n));
    CHECK(is_uniform((block.index.x * 3u + p.n) < 7u));
    CHECK_FALSE(is_uniform(block.thread.x));
    CHECK_FALSE(is_uniform(block.global_index() < p.n));
    CHECK_FALSE(is_uniform(p.u(p.n)));
    tg::var<unsigned> v = p.n;
    tg::if_(block.thread.x < 3u, [&] { v = 0u; });
    CHECK_FALSE(is_uniform(v));
  });
}

TEST_CASE("barriers and exchanges need all threads") {
  using tg::ptx::opcode;
  for (const opcode op : {opcode::bar, opcode::barrier, opcode::shfl, opcode::vote, opcode::mma, opcode::ldmatrix})
    CHECK(tg::detail::needs_all_threads(op));
  for (const opcode op : {opcode::fence, opcode::st, opcode::activemask, opcode::add, opcode::exit})
    CHECK_FALSE(tg::detail::needs_all_threads(op));
}
