// Records the statements of a kernel, judges what was left open, and places its tiles.
#pragma once

#include <tg/dsl/kernel/record.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/cluster_halves.hpp>
#include <tg/dsl/recorder/guarded_reads.hpp>
#include <tg/dsl/recorder/move_fetches.hpp>
#include <tg/dsl/recorder/products_in_flight.hpp>
#include <tg/dsl/recorder/require_written.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tile_placer.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/verdict/end_judgement.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION traced_kernel record(const recordable& kernel, void (*see)(tape&, void*), void* what) {
  traced_kernel out;
  {
    ptx::function& f = out.module.functions.emplace_back();
    f.name = kernel.name;
    const auto threads = [](int n) { return static_cast<std::uint32_t>(n); };
    const analysis::block_extent launched = kernel.launched();
    f.bounds.required_threads = {threads(launched.x), threads(launched.y), threads(launched.z)};
    f.bounds.max_registers = kernel.max_registers;
    f.bounds.min_blocks_per_sm = kernel.min_blocks_per_sm;
    f.bounds.cluster = {threads(kernel.cluster.x), threads(kernel.cluster.y), threads(kernel.cluster.z)};
    f.body.reserve(16384);  // what is not written costs nothing, moving the start of a large kernel does
    f.registers.reserve(256);
  }
  detail::tape tape(out.module, 0);
  tape.accesses.reserve(4096);
  tape.block = kernel.block;
  tracer t(tape);
  t.at(kernel.where);
  kernel.statements(t, kernel.kernel);
  t.open_body(false);  // behind a tg::return_ of all threads as well
  t.emit(ptx::opcode::ret, {}, {});
  ptx::function& f = out.module.functions[0];  // what is called has been declared behind it, and may have moved it
  require_written(out.module, f);
  require_waited(out.module, f);
  if (f.bounds.cluster[0] != 0) cluster_halves(out.module, f)();
  judge_open(tape);
  see(tape, what);
  const dynamic_array<std::uint32_t>& selections = tape.guarded_selections;
  if (!selections.empty()) {
    read_search needs_read(f, [&](std::uint32_t r) { return tape.definition_of(r); });
    for (const loop_counter& c : tape.counters) needs_read.pass(c.reg);
    if (std::any_of(selections.begin(), selections.end(), [&](std::uint32_t r) { return needs_read(r); }))
      guard_reads(f, selections);
  }
  if (tape.producer.has_fetches) move_fetches(out.module, f, tape.producer);
  tile_placer place_tiles(tape);
  place_tiles();
  out.accesses = std::move(tape.accesses);
  return out;
}

}  // namespace tg::detail
