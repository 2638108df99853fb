// Runs a kernel's lambda once and records what it does.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tg/dsl/guarded_reads.hpp>
#include <tg/dsl/recordable.hpp>
#include <tg/dsl/require_written.hpp>
#include <tg/dsl/tape.hpp>

namespace tg {

/// A recorded kernel: the IR as written, before any pass, and its memory accesses in program order;
/// `ptx::instruction::access` is an index into them.
struct traced_kernel {
  ptx::module module;
  std::vector<access> accesses;
};

namespace detail {

/// `see(tape)` is called when all is recorded.
template <class See>
traced_kernel record(const recordable& kernel, See see) {
  traced_kernel out;
  ptx::function& f = out.module.functions.emplace_back();
  f.name = kernel.name;
  const auto threads = [](int n) { return static_cast<std::uint32_t>(n); };
  f.bounds.required_threads = {threads(kernel.block.x), threads(kernel.block.y), threads(kernel.block.z)};
  f.bounds.max_registers = kernel.max_registers;
  f.bounds.min_blocks_per_sm = kernel.min_blocks_per_sm;
  f.body.reserve(16384);  // what is not written costs nothing, moving the start of a large kernel does
  f.registers.reserve(256);
  detail::tape tape(out.module, 0);
  tape.accesses.reserve(512);
  tape.block = kernel.block;
  tracer t(tape);
  t.at(kernel.where);
  kernel.statements(t, kernel.kernel);
  t.emit(ptx::opcode::ret, {}, {});
  require_written(out.module, f);
  see(tape);
  guard_reads(f, tape.guarded_selections);
  out.accesses = std::move(tape.accesses);
  return out;
}

inline traced_kernel record(const recordable& kernel) {
  return record(kernel, [](detail::tape&) {});
}

}  // namespace detail

/// The IR of a kernel as its statements say it. Errors: TG119, TG121, TG122, TG128, TG135, TG315, TG201 to TG204 where C++
/// integers decide.
template <class K> requires is_kernel<K>
traced_kernel trace(const K& kernel) {
  return detail::record(detail::to_recordable(kernel));
}

}  // namespace tg
