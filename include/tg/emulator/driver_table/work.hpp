// What streams and graphs of the emulated driver do: kernels, copies, fills, calls of the host, waits.
#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <tg/base/stopwatch.hpp>
#include <tg/emulator/driver_table/function.hpp>

namespace tg::emulator::entry {

using driver::event_flag;
using driver::event_handle;
using driver::graph_handle;
using driver::graph_node_handle;
using driver::memory_type;
using driver::node_type;
using driver::stream_handle;

/// One record of an event.
struct event_record {
  bool is_done = false;
  check::stream_clock known{};  // what has happened then, where races are looked for
};

struct event {
  context_handle owner;
  event_flag flags;
  std::optional<stopwatch> time;              // started when the event was recorded
  std::shared_ptr<event_record> last;         // null before the first record
  std::shared_ptr<entry::capture> capture;    // that it was recorded in
  dynamic_array<graph_node_handle> frontier;  // of the captured stream at that moment

  bool is_pending() const { return last && !last->is_done; }
};

/// The host's view of memory that a call reads; checked where the device knows the memory.
/// Errors: TG442.
inline const std::byte* look_at(const machine& m, std::uint64_t address, std::size_t bytes, memory_type type) {
  if (type == memory_type::device || m.memory.owns(address)) return m.memory.at(address, bytes);
  return byte_at(address);
}

/// The host's view of `bytes` bytes at `address` that a driver call writes.
/// Errors: TG442.
inline std::byte* view(machine& m, std::uint64_t address, std::size_t bytes, memory_type type) {
  if (type == memory_type::device || m.memory.owns(address)) return m.memory.at(address, bytes);
  return byte_at(address);
}

struct empty_work {
  void operator()(machine&) const {}
};

struct kernel_work {
  std::shared_ptr<entry::function> function;
  function_handle handle;
  launch_shape shape;
  dynamic_array<std::byte> parameters;
  std::map<driver::limit, std::size_t> limits;  // of the context, that were set

  /// Blocks get shared memory in units of 128 bytes, and programs reach into the rest of the last one unharmed; who asks for
  /// checks gets exact bounds. Source: CUDA occupancy calculator, shared memory allocation unit size of 9.0.
  launch_shape granted(const machine& m) const {
    launch_shape out = shape;
    if (!m.is_driver || std::getenv("TG_EMULATOR_CHECK") != nullptr) return out;
    const std::size_t fixed = (function->info().static_shared_bytes + 15) / 16 * 16;
    out.dynamic_shared_bytes = (fixed + shape.dynamic_shared_bytes + 127) / 128 * 128 - fixed;
    return out;
  }

  /// What kernels print is kept whole, whatever the limit of its buffer.
  emulator::options within_limits(emulator::options how) const {
    const auto limit = [&](driver::limit l, std::size_t& bytes) {
      if (const auto set = limits.find(l); set != limits.end()) bytes = set->second;
    };
    limit(driver::limit::stack_size, how.stack_bytes);
    limit(driver::limit::malloc_heap_size, how.heap_bytes);
    return how;
  }

  /// `touched`: where what the kernel did to global memory is added.
  void operator()(machine& m, check::touched_bytes* touched = nullptr) const {
    const launch_shape shape = granted(m);
    const bool counts = m.is_counting || m.counters_file.is_on();
    if (counts) m.counted = {};
    emulator::options asked = within_limits(m.options);
    asked.touched = touched;
    m.checks.launch(std::move(asked), [&](const emulator::options& how) {
      run(m.memory, *function->code, function->index, shape, parameters, how, counts ? &m.counted : nullptr);
    });
    if (m.counters_file.is_on()) m.counters_file.add(function->info().name, m.counted);
  }
};

struct copy_work {
  driver::copy_3d copy;
  std::shared_ptr<std::vector<std::byte>> kept = nullptr;  // what is copied, when the host may change it before

  /// Errors: TG442. Afterwards the host's side may change.
  void require_inside(machine& m) {
    if (copy.width_bytes == 0 || copy.height == 0 || copy.depth == 0) return;
    first(m, copy.to);
    const std::byte* const from = first(m, copy.from);
    if (copy.from.type != memory_type::host || copy.height * copy.depth != 1) return;
    kept = std::make_shared<std::vector<std::byte>>(from, from + copy.width_bytes);
    copy.from.host = kept->data();
    copy.from.x_bytes = 0;
  }

  /// Calls `f(to, from)` for each row of `copy.width_bytes` bytes. Errors: TG442.
  template <class F> void each_row(const machine& m, F f) const {
    if (copy.width_bytes == 0 || copy.height == 0 || copy.depth == 0) return;
    const std::byte *const to = first(m, copy.to), *const from = first(m, copy.from);
    for (std::size_t z = 0; z < copy.depth; ++z)
      for (std::size_t y = 0; y < copy.height; ++y)
        f(to + (z * rows(copy.to) + y) * pitch(copy.to), from + (z * rows(copy.from) + y) * pitch(copy.from));
  }

  void operator()(machine& m) const {
    each_row(m, [&](const std::byte* to, const std::byte* from) {
      m.memory.note_copy(reinterpret_cast<std::uint64_t>(to), reinterpret_cast<std::uint64_t>(from), copy.width_bytes);
      std::memmove(const_cast<std::byte*>(to), from, copy.width_bytes);
    });
  }

 private:
  template <class Side> std::size_t pitch(const Side& s) const { return s.pitch ? s.pitch : copy.width_bytes; }
  template <class Side> std::size_t rows(const Side& s) const { return s.height ? s.height : copy.height; }
  template <class Side> const std::byte* first(const machine& m, const Side& s) const {
    require(s.type != memory_type::array, result::not_supported);
    require(s.level == 0 && pitch(s) >= copy.width_bytes && rows(s) >= copy.height);
    const std::uint64_t base = s.type == memory_type::host ? reinterpret_cast<std::uint64_t>(s.host) : s.device;
    const std::size_t span = ((copy.depth - 1) * rows(s) + copy.height - 1) * pitch(s) + copy.width_bytes;
    return look_at(m, base + (s.z * rows(s) + s.y) * pitch(s) + s.x_bytes, span, s.type);
  }
};

struct set_work {
  driver::set_node_parameters set;

  /// Errors: TG442.
  void require_inside(machine& m) const {
    if (set.width == 0 || set.height == 0 || set.element_bytes == 0 || set.width > SIZE_MAX / set.element_bytes) return;
    const std::size_t row = set.width * set.element_bytes;
    look_at(m, set.to, (set.height - 1) * (set.height > 1 ? set.pitch : row) + row, memory_type::device);
  }

  void operator()(machine& m) const {
    const std::size_t size = set.element_bytes;
    require((size == 1 || size == 2 || size == 4) && set.to % size == 0 && set.width <= SIZE_MAX / size);
    if (set.width == 0 || set.height == 0) return;
    const std::size_t row = set.width * size, pitch = set.height > 1 ? set.pitch : row;
    require(pitch >= row && pitch % size == 0);
    std::byte* const first = view(m, set.to, (set.height - 1) * pitch + row, memory_type::device);
    for (std::size_t y = 0; size == 1 && y < set.height; ++y) std::memset(first + y * pitch, static_cast<int>(set.value), row);
    for (std::size_t y = 0; size != 1 && y < set.height; ++y)
      for (std::size_t x = 0; x < set.width; ++x) std::memcpy(first + y * pitch + x * size, &set.value, size);
  }
};

/// A call of the host. It is made by the machine's own thread, without the lock: it may wait for other threads.
struct host_work {
  std::function<void()> call;
  driver::host_node_parameters parameters{};

  void operator()(machine&) const { call(); }
};

struct record_work {
  std::shared_ptr<entry::event> event;
  event_handle handle;
  std::shared_ptr<event_record> made = nullptr;

  void operator()(machine&) const {
    event->time.emplace();
    made->is_done = true;
  }
};

struct wait_work {
  std::shared_ptr<entry::event> event;
  event_handle handle;
  std::shared_ptr<event_record> record = nullptr;  // that it waits for; null: none

  bool is_ready() const { return !record || record->is_done; }
  void operator()(machine&) const {}
};

/// Waits for or writes a number in memory.
struct value_work {
  driver::stream_operation what;

  bool is_wait() const {
    return what.operation == driver::memory_operation::wait_value_32 ||
           what.operation == driver::memory_operation::wait_value_64;
  }
  bool is_write() const {
    return what.operation == driver::memory_operation::write_value_32 ||
           what.operation == driver::memory_operation::write_value_64;
  }
  bool is_wide() const {
    return what.operation == driver::memory_operation::wait_value_64 ||
           what.operation == driver::memory_operation::write_value_64;
  }
  std::size_t bytes() const { return is_wide() ? 8 : 4; }

  bool is_ready(machine& m) const {
    if (!is_wait()) return true;
    std::uint64_t now = 0;
    std::memcpy(&now, view(m, what.address, bytes(), memory_type::device), bytes());
    const std::uint64_t mask = is_wide() ? ~std::uint64_t{0} : 0xffffffff, wanted = what.value & mask;
    const std::uint64_t ahead = (now - wanted) & mask;
    switch (static_cast<driver::wait_value>(what.flags & 3)) {
      case driver::wait_value::geq: return ahead >> (8 * bytes() - 1) == 0;  // counters may wrap
      case driver::wait_value::eq: return now == wanted;
      case driver::wait_value::and_: return (now & wanted) != 0;
      case driver::wait_value::nor: return (~(now | wanted) & mask) != 0;
    }
    return true;
  }

  void operator()(machine& m) const {
    if (is_wait() || what.operation == driver::memory_operation::barrier ||
        what.operation == driver::memory_operation::flush_remote_writes)
      return;
    std::memcpy(view(m, what.address, bytes(), memory_type::device), &what.value, bytes());
  }
};

/// Memory that a node of a graph gives; it lives as long as the graph.
struct allocation_work {
  driver::allocation_node_parameters parameters;
  void operator()(machine&) const {}
};

struct free_work {
  device_address address;
  bool is_in_graph = false;

  void operator()(machine& m) const {
    if (is_in_graph) return;
    m.allocations.erase(address);
    m.memory.release(address);
  }
};

/// A graph inside a graph.
struct child_work {
  graph_handle graph;
  void operator()(machine&) const {}
};

using work = std::variant<kernel_work, copy_work, set_work, host_work, child_work, empty_work, wait_work, record_work,
                          allocation_work, free_work, value_work>;

inline node_type type_of(const work& w) {
  using enum node_type;
  constexpr node_type types[] = {kernel,     memcpy,       memset,    host,     graph,       empty,
                                 wait_event, event_record, mem_alloc, mem_free, batch_mem_op};
  static_assert(std::size(types) == std::variant_size_v<work>);
  return types[w.index()];
}

inline void perform(machine& m, const work& w) {
  std::visit([&](const auto& what) { what(m); }, w);
}

}  // namespace tg::emulator::entry
