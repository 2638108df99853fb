// Work of streams under the race checker: what each piece touches, and what the host knows when.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include <tg/emulator/driver_table/work.hpp>

namespace tg::emulator::entry {

/// 0, and the handles 1 and 2 by which the legacy and the per-thread default stream are named.
inline bool is_default(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 2; }
inline bool is_legacy(stream_handle s) { return reinterpret_cast<std::uintptr_t>(s) <= 1; }
inline stream_handle legacy_name(stream_handle s) { return is_legacy(s) ? nullptr : s; }

/// Whose turn it is when a piece of work is done.
struct turn {
  stream_handle stream = nullptr;
  check::stream_name name{};
  check::host_clock known = nullptr;  // by the host, when it submitted the work
  driver::device_id device = 0;
};

inline bool looks_for_races(const machine& m) { return m.options.check.race; }

/// " on stream 0x51", with the device where there are several.
inline std::string place_of(const machine& m, const turn& t) {
  std::string out = is_legacy(t.stream)                               ? " on the legacy default stream"
                    : is_default(t.stream)                            ? " on the default stream of a thread"
                    : t.name.kind == check::stream_kind::non_blocking ? " on the non-blocking stream "
                                                                      : " on stream ";
  if (!is_default(t.stream)) out += hex(reinterpret_cast<std::uintptr_t>(t.stream));
  return m.devices.size() == 1 ? out : out + " of device " + std::to_string(t.device);
}

/// What a piece of work is called in a report.
inline std::string text_of(const work& w) {
  if (const auto* kernel = std::get_if<kernel_work>(&w)) return "kernel '" + kernel->function->info().name + "'";
  if (const auto* copy = std::get_if<copy_work>(&w))
    return "copy of " + std::to_string(copy->copy.width_bytes * copy->copy.height * copy->copy.depth) + " bytes";
  if (const auto* set = std::get_if<set_work>(&w))
    return "fill of " + std::to_string(set->set.width * set->set.element_bytes * set->set.height) + " bytes";
  if (std::holds_alternative<free_work>(w)) return "release of memory";
  return "write of a number";
}

/// Where a side of a copy is.
template <class Side> std::uint64_t address_of(const Side& s) {
  return s.type == memory_type::host ? reinterpret_cast<std::uint64_t>(s.host) : s.device;
}

/// What a call allocated at an address; null: nothing.
inline const owned_memory* owned_at(const machine& m, std::uint64_t address) {
  const auto found = m.allocations.find(m.memory.find(address).address);
  return found == m.allocations.end() ? nullptr : &found->second;
}

/// Whether a copy is from the memory of one device to that of another.
inline bool is_between_devices(const machine& m, const copy_work& w) {
  const owned_memory *const to = owned_at(m, address_of(w.copy.to)), *const from = owned_at(m, address_of(w.copy.from));
  return to != nullptr && from != nullptr && to->kind == owned_memory::kind::device &&
         from->kind == owned_memory::kind::device && m.contexts.contains(to->owner) && m.contexts.contains(from->owner) &&
         m.contexts.at(to->owner)->device != m.contexts.at(from->owner)->device;
}

/// Adds what work other than kernels touches. Memory of the host that the device was not told of is the host's own business.
inline void collect(const machine& m, const work& w, check::touched_bytes& to) {
  constexpr auto read = check::bit_of(check::access_kind::read), write = check::bit_of(check::access_kind::write);
  const auto add = [&](std::uint64_t address, std::size_t bytes, check::access_kinds kinds) {
    if (m.memory.owns(address) || m.memory.find(address).is_live) to.add(address, bytes, kinds);
  };
  if (const auto* copy = std::get_if<copy_work>(&w)) {
    copy->each_row(m, [&](const std::byte* row_to, const std::byte* row_from) {
      if (!copy->kept) add(reinterpret_cast<std::uint64_t>(row_from), copy->copy.width_bytes, read);
      add(reinterpret_cast<std::uint64_t>(row_to), copy->copy.width_bytes, write);
    });
  } else if (const auto* set = std::get_if<set_work>(&w)) {
    for (std::size_t y = 0; y < set->set.height; ++y)
      add(set->set.to + y * set->set.pitch, set->set.width * set->set.element_bytes, write);
  } else if (const auto* freed = std::get_if<free_work>(&w); freed != nullptr && !freed->is_in_graph) {
    add(freed->address, m.memory.size_of(freed->address), write);
  } else if (const auto* value = std::get_if<value_work>(&w); value != nullptr && value->is_write()) {
    add(value->what.address, value->bytes(), check::bit_of(check::access_kind::strong_write));
    to.releases = true;
  }
}

/// Whether a copy ends in memory of the host that the device was not told of: such a call returns when the copy is done.
/// Source: CUDA Driver API 13.0, 2, API synchronization behavior.
inline bool ends_in_pageable(const machine& m, const work& w) {
  const auto* copy = std::get_if<copy_work>(&w);
  if (copy == nullptr) return false;
  const std::uint64_t to = address_of(copy->copy.to);
  return !m.memory.owns(to) && !m.memory.find(to).is_live;
}

/// The finding of two pieces of work that nothing orders; `text` and `stream` are of the one that ended now.
inline check::finding describe_race(const machine& m, const std::string& text, const check::stream_name& stream,
                                    const check::stream_races::conflict& c) {
  using check::stream_kind;
  check::finding f;
  f.kind = check::checker::race;
  f.code = code{429};
  f.what = "Race reported between " + text + " and " + c.text;
  f.has_address = true;
  f.address = c.where.begin;
  f.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(c.where.end - c.where.begin, ~std::uint32_t{0}));
  const bool writes = check::some_write(c.where.kinds), wrote = check::some_write(c.kinds);
  f.detail = "is not ordered: " + std::to_string(f.bytes) + " bytes from there on are " +
             (writes && wrote ? "written by both"
              : writes        ? "written by the first and read by the second"
                              : "read by the first and written by the second");
  if (const allocation a = m.memory.find(c.where.begin); a.is_live)
    f.detail += ", " + std::to_string(c.where.begin - a.address) + " bytes inside the allocation at " + hex(a.address) +
                " of size " + std::to_string(a.size_bytes) + " bytes";
  const bool is_beside_legacy =
      stream.context == c.stream.context && (stream.kind == stream_kind::legacy || c.stream.kind == stream_kind::legacy);
  f.fix =
      std::string(is_beside_legacy ? "the legacy default stream and non-blocking ones do not wait for each other: " : "") +
      "record an event on the stream of the second, behind it, and let the stream of the first wait for it, or let the host "
      "synchronize between them";
  return f;
}

/// A piece of work has ended. Errors: TG429.
inline void end_piece(machine& m, check::stream_piece piece) {
  const std::string text = piece.text;
  const check::stream_name stream = piece.stream;
  const auto conflict = m.stream_races.end(std::move(piece));
  if (!conflict) return;
  check::finding f = describe_race(m, text, stream, *conflict);
  m.checks.add(dynamic_array<check::finding>(1, f));
  throw check::failure(std::move(f));
}

/// Does a piece of work, and looks for races with others where that is asked for. Errors: of the work, and TG429.
inline void perform(machine& m, const turn& t, const work& w) {
  if (!looks_for_races(m)) {
    if (!m.stream_races.is_empty()) m.stream_races.clear();  // what is not followed may order what comes
    return perform(m, w);
  }
  check::stream_piece piece = m.stream_races.begin(t.name, t.known);
  // A copy between devices comes after all commands of either so far, and before all later ones. Source: CUDA C++ Programming
  // Guide 13.0, multi-device system, peer-to-peer memory copy.
  const auto* copy = std::get_if<copy_work>(&w);
  const bool is_between = copy != nullptr && t.name.kind == check::stream_kind::legacy && is_between_devices(m, *copy);
  if (is_between) m.stream_races.follow_all(piece);
  if (const auto* wait = std::get_if<wait_work>(&w); wait != nullptr && wait->record)
    m.stream_races.learn(t.name, wait->record->known);
  if (const auto* record = std::get_if<record_work>(&w)) record->made->known = piece.known;
  if (const auto* value = std::get_if<value_work>(&w); value != nullptr && value->is_wait())
    m.stream_races.follow_writers(piece, value->what.address, value->bytes());
  if (const auto* kernel = std::get_if<kernel_work>(&w)) {
    (*kernel)(m, &piece.touched);
    if (m.memory.heap() != nullptr) {  // kernels divide it among themselves
      piece.touched.settle();
      for (const allocation& a : *m.memory.table())
        if (a.is_heap) piece.touched.erase(a.address, a.size_bytes);
    }
  } else {
    collect(m, w, piece.touched);
    perform(m, w);
  }
  if (ends_in_pageable(m, w)) m.stream_races.host_learns(piece.known);
  piece.text = text_of(w) + place_of(m, t);
  dynamic_array<check::touched_range> freed;
  if (std::holds_alternative<free_work>(w)) freed = piece.touched.ranges();
  const struct at_end {
    machine& m;
    const dynamic_array<check::touched_range>& freed;
    ~at_end() {
      for (const check::touched_range& r : freed) m.stream_races.forget(r.begin, r.end - r.begin);
    }
  } forget{m, freed};
  end_piece(m, std::move(piece));
}

/// A call of the host begins: what is before it in its stream has ended, and may be told to other threads by it.
inline void begin_host_call(machine& m, const turn& t) {
  if (looks_for_races(m)) m.stream_races.host_learns(m.stream_races.begin(t.name, t.known).known);
}

/// Memory that a stream allocates is there for others when they come after the call. Errors: TG429.
inline void note_allocation(machine& m, const turn& t, std::uint64_t address, std::size_t bytes) {
  if (!looks_for_races(m)) return;
  check::stream_piece piece = m.stream_races.begin(t.name, t.known);
  piece.touched.add(address, bytes, check::bit_of(check::access_kind::write));
  piece.text = "allocation of " + std::to_string(bytes) + " bytes" + place_of(m, t);
  end_piece(m, std::move(piece));
}

/// The host has seen that an event is done.
inline void host_saw(machine& m, const event& e) {
  if (looks_for_races(m) && e.last) m.stream_races.host_learns(e.last->known);
}

}  // namespace tg::emulator::entry
