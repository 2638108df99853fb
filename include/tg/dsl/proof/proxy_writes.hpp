// What threads wrote to tiles, until the async proxy is sure to see it: behind a fence.proxy.async of the thread that wrote,
// and behind a barrier where it met whoever begins the access. Source: PTX ISA 9.0, "Async proxy".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/async_uses.hpp>
#include <tg/dsl/proof/use.hpp>

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

/// What a thread wrote to a tile: the async proxy sees it once the thread has passed a fence, for what others begin once they
/// have met the thread behind it.
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

/// All that threads wrote to tiles and that the async proxy does not see for sure.
class proxy_writes {
 public:
  void add(std::uint32_t use) { all_.push_back({.use = use}); }
  /// fence.proxy.async by the threads of a way.
  void fence(const dynamic_array<use>& uses, const path& way) {
    for (proxy_write& w : all_) {
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
};

}  // namespace tg::proof
