// What threads wrote, until the async proxy is sure to see it: behind a fence.proxy.async of the thread that wrote,
// and behind a barrier where it met whoever begins the access. Source: PTX ISA 9.0, "Async proxy".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/async_uses.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::proof {

/// Places that threads passed under conditions which all of them share; later ones count where the same conditions hold.
class passed_places {
 public:
  void add(const path& way) {
    if (!are_passed(way)) under_.push_back(way.literals);
  }
  /// Whether one of them was passed in each launch in which a thread comes by `way`.
  bool are_passed(const path& way) const {
    return std::any_of(under_.begin(), under_.end(), [&](const auto& asked) { return begins_with(way, *asked); });
  }
  bool is_empty() const { return under_.empty(); }

 private:
  dynamic_array<std::shared_ptr<const dynamic_array<literal>>> under_;
};

/// What a thread wrote to a tile or a buffer: the async proxy sees it once the thread has passed a fence, for what others begin
/// once they have met the thread behind it.
struct proxy_write {
  std::uint32_t use = 0;
  bool is_fenced = false;  // in every launch
  bool is_maybe_met = false;
  dynamic_array<meeting> meetings = {};  // behind that fence
  passed_places fences = {};             // of all threads that wrote, in the launches that come by
  passed_places barriers = {};           // of all threads of the block, behind them

  bool is_ordered(std::size_t s, std::size_t t) const {
    return is_fenced &&
           (s == t || std::any_of(meetings.begin(), meetings.end(), [&](const meeting& m) { return m.orders(s, t); }));
  }
  /// Something may have ordered it behind a fence.
  void doubt() { is_maybe_met = is_maybe_met || is_fenced || !fences.is_empty(); }
};

/// The memory that a fence.proxy.async is for.
struct fenced_memory {
  bool shared = true;
  bool global = true;
};

/// All that threads wrote and that the async proxy does not see for sure.
class proxy_writes {
 public:
  explicit proxy_writes(const ptx::function& f) {
    reads_buffers_ = std::any_of(f.body.begin(), f.body.end(), [](const ptx::instruction& i) {
      return i.op == ptx::opcode::cp && i.has(ptx::token::bulk) && !i.has(ptx::token::tensor);
    });
  }

  /// Whether the kernel may read such memory through the proxy.
  bool follows(bool is_shared) const { return is_shared || reads_buffers_; }
  /// What to do about a write that the proxy may not see.
  static const char* advice(bool is_shared) {
    return is_shared
               ? "run tg::fence_async_proxy() in the threads that write, behind the writes and before they meet"
               : "run tg::fence_async_proxy_of_buffers() in the threads that write, behind the writes and before they meet";
  }

  void add(std::uint32_t use) { all_.push_back({.use = use}); }
  /// fence.proxy.async by the threads of a way.
  void fence(const dynamic_array<use>& uses, const path& way, fenced_memory where) {
    for (proxy_write& w : all_) {
      if (!(uses[w.use].where.is_shared ? where.shared : where.global)) continue;
      const bool come_all = (uses[w.use].way.may & ~way.must).none();
      w.is_fenced = w.is_fenced || (way.is_sure && come_all) || asks_no_more(uses[w.use], way);
      if (come_all) w.fences.add(way);
    }
  }
  /// All threads of the block have met, in the launches that come by this way; `is_sure`: in every launch.
  void meet_all(const path& way, bool is_sure) {
    if (is_sure) tg::erase_if(all_, [](const proxy_write& w) { return w.is_fenced; });
    for (proxy_write& w : all_) {
      if (w.is_fenced || w.fences.are_passed(way)) w.barriers.add(way);
      w.doubt();
    }
  }
  /// Some have, or may have.
  void meet(const meeting& m, bool is_certain) {
    for (proxy_write& w : all_) {
      if (w.is_fenced && is_certain) w.meetings.push_back(m);
      else w.doubt();
    }
  }
  void doubt() {
    for (proxy_write& w : all_) w.doubt();
  }

  const dynamic_array<proxy_write>& all() const { return all_; }

 private:
  dynamic_array<proxy_write> all_;
  bool reads_buffers_ = false;
};

}  // namespace tg::proof
