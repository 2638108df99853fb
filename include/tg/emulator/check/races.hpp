// Races in shared and global memory: two accesses to one byte, one of them a write, that nothing orders. What orders
// them is followed by vector clocks, so a race is found whatever order the threads really ran in. Source: PTX ISA 9.0,
// 8 (memory consistency model); CUDA C++ programming guide, memory fence functions.
#pragma once

#include <unordered_map>

#include <tg/emulator/check/access_history.hpp>
#include <tg/emulator/check/findings.hpp>
#include <tg/emulator/check/thread_order.hpp>
#include <tg/emulator/report.hpp>

namespace tg::emulator::check {

class races {
 public:
  races(const machine& m, findings& found) : m_(m), found_(found) {}

  void start(std::uint64_t block) { blocks_.try_emplace(block, block, m_.warps); }
  void finish(std::uint64_t block) {
    blocks_.erase(block);
    known_ = nullptr;
  }

  thread_order& order(const block& b) { return of(b).order; }

  /// An access of the lanes of one warp of `b`, all to `address`. A shared address counts from 0 and is one of `owner`.
  void access(const block& b, const block& owner, const operation& o, bool is_shared, std::uint32_t warp,
              std::uint32_t lanes, std::uint64_t address, std::uint32_t bytes, access_kind kind, scope s,
              const std::byte* value) {
    thread_order& order = of(b).order;
    while (lanes != 0) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
      const clock_pointer& known = order.known(warp, first);
      std::uint32_t same = 0;
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        if (order.known(warp, i) == known && order.epoch(warp, i) == order.epoch(warp, first)) same |= 1u << i;
      }
      if (kind == access_kind::write) same = 1u << first;
      lanes &= ~same;
      add(owner, o, is_shared, address, bytes, {order.name(warp), same, order.epoch(warp, first), 0, 0, kind, s},
          known.get(), value);
    }
  }

  /// A copy that a lane started and that ends when the lane has waited for `ticket`.
  void copy(const block& b, const block& owner, const operation& o, bool is_shared, std::uint32_t warp,
            std::uint32_t lane, std::uint64_t address, std::uint32_t bytes, bool writes, std::uint32_t ticket) {
    thread_order& order = of(b).order;
    warp_name by = order.name(warp);
    by.warp += warp_name::first_async;
    const clock_pointer known = order.until_now(warp, lane);
    add(owner, o, is_shared, address, bytes,
        {by, 1u << lane, ticket, 0, 0, writes ? access_kind::write : access_kind::read, scope::all}, known.get(),
        nullptr);
  }

  /// What a strong access synchronises with, after `access`.
  void synchronize(const block& b, const block& owner, bool is_shared, std::uint32_t warp, std::uint32_t lane,
                   std::uint64_t address, memory_order o, bool reads, bool writes) {
    publication& p = (is_shared ? of(owner).published : published_)[address];
    thread_order& order = of(b).order;
    if (reads) order.read(p, warp, lane, o);
    if (writes) order.write(p, warp, lane, o, reads);
  }

  /// What was released to an object in the shared memory of a block.
  publication& published(const block& owner, std::uint64_t offset) { return of(owner).published[offset]; }
  void meet_at(const block& b, publication& p, std::uint32_t thread, memory_order o) {
    thread_order& order = of(b).order;
    order.read(p, thread / 32, thread % 32, o);
    if (o.releases) order.write(p, thread / 32, thread % 32, o, true);
  }

 private:
  using publications = std::unordered_map<std::uint64_t, publication>;
  struct block_state {
    block_state(std::uint64_t block, std::uint32_t warps) : order(block, warps) {}
    thread_order order;
    access_history shared;
    publications published;
  };

  block_state& of(const block& b) {
    if (known_ == nullptr || known_block_ != b.number) known_ = &blocks_.at(known_block_ = b.number);
    return *known_;
  }

  void add(const block& owner, const operation& o, bool is_shared, std::uint64_t address, std::uint32_t bytes,
           access_record now, const vector_clock* known, const std::byte* value) {
    now.operation = static_cast<std::uint32_t>(&o - m_.image.code.data());
    (is_shared ? of(owner).shared : global_)
        .add(address, bytes, now, known, value, [&](const access_record& earlier, conflict c, std::uint64_t at) {
          report(now, earlier, c, is_shared, at, bytes);
        });
  }

  std::string kind_name(const access_record& r) const {
    if (m_.image.code[r.operation].act == action::atomic) return "Atomic";
    if (r.warp.warp >= warp_name::first_async) return is_write(r.kind) ? "Async Write" : "Async Read";
    return is_write(r.kind) ? "Write" : "Read";
  }

  site site_of(const access_record& r, std::uint32_t lane) const {
    return emulator::site_of(m_, m_.image.code[r.operation], r.warp.block,
                             r.warp.warp % warp_name::first_async * 32 + lane);
  }

  void report(const access_record& now, const access_record& earlier, conflict c, bool is_shared, std::uint64_t address,
              std::uint32_t bytes) {
    const int number = c == conflict::narrow_scope ? 418 : is_shared ? 416 : 417;
    const auto [low, high] = std::minmax(now.operation, earlier.operation);
    found_.add({number, low, high}, [&] {
      std::uint32_t lane = static_cast<std::uint32_t>(std::countr_zero(now.lanes)),
                    other = static_cast<std::uint32_t>(std::countr_zero(earlier.lanes));
      if (now.warp == earlier.warp && lane == other) {
        if (!std::has_single_bit(earlier.lanes))
          other = static_cast<std::uint32_t>(std::countr_zero(earlier.lanes & (earlier.lanes - 1)));
        else if (!std::has_single_bit(now.lanes))
          lane = static_cast<std::uint32_t>(std::countr_zero(now.lanes & (now.lanes - 1)));
      }
      finding f = start_finding(m_, checker::race, number, site_of(now, lane));
      f.other = site_of(earlier, other);
      f.what = std::string("Race reported between ") + kind_name(now) + " access and " + kind_name(earlier) +
               " access in __" + (is_shared ? "shared" : "global") + "__ memory";
      f.has_address = true;
      f.address = address;
      f.bytes = bytes;
      f.detail = number == 418 ? "has a scope of one block, but the threads are in different blocks"
                               : "is not ordered with an earlier access";
      if (is_shared) f.detail += variable_at(m_, address);
      f.fix = number == 418              ? "give both atomics the scope .gpu"
              : now.warp == earlier.warp ? "put a __syncwarp (bar.warp.sync) between them"
              : now.warp.block == earlier.warp.block
                  ? "put a barrier between them, or make both atomic"
                  : "make both atomic, or order them by a fence and an atomic flag, or use two launches";
      return f;
    });
  }

  const machine& m_;
  findings& found_;
  access_history global_;
  publications published_;
  std::unordered_map<std::uint64_t, block_state> blocks_;
  block_state* known_ = nullptr;
  std::uint64_t known_block_ = 0;
};

}  // namespace tg::emulator::check
