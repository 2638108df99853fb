// The accesses to a memory that a later access may race with: per word, or per byte where narrower accesses were made.
// An access is forgotten when one that happened after it would race with all that it would.
#pragma once

#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include <tg/emulator/check/memory_order.hpp>
#include <tg/emulator/check/vector_clock.hpp>

namespace tg::emulator::check {

enum class access_kind : std::uint8_t { read, write, strong_read, strong_write };

constexpr bool is_write(access_kind k) { return k == access_kind::write || k == access_kind::strong_write; }
constexpr bool is_strong(access_kind k) { return k >= access_kind::strong_read; }

/// Lanes of one warp that made one access to one word at one epoch.
struct access_record {
  warp_name warp;
  std::uint32_t lanes = 0;  // 0: no record
  std::uint32_t epoch = 0;
  std::uint32_t operation = 0;
  std::uint32_t value = 0;  // of a plain write: writes of the same value do not race
  access_kind kind = access_kind::read;
  check::scope scope = scope::all;
  bool is_async_proxy = false;
};

/// Two accesses to one byte, at least one a write, not ordered, and not both strong enough for each other; or a write
/// that comes first and that the proxy of the read does not see.
enum class conflict : std::uint8_t { none, race, narrow_scope, other_proxy };

/// Plain writes of one value leave that value whichever comes last: they race only where that is asked for.
inline conflict conflict_of(const access_record& a, const access_record& b, bool is_strict = false) {
  if (!is_write(a.kind) && !is_write(b.kind)) return conflict::none;
  if (is_strong(a.kind) && is_strong(b.kind))
    return a.warp.block != b.warp.block && (a.scope == scope::block || b.scope == scope::block) ? conflict::narrow_scope
                                                                                                : conflict::none;
  const bool are_plain_writes = a.kind == access_kind::write && b.kind == access_kind::write;
  if (!is_strict && are_plain_writes && a.value == b.value) return conflict::none;
  return conflict::race;
}

class access_history {
 public:
  static constexpr std::uint64_t page_bytes = 1024;
  static constexpr std::size_t most_records = 48;  // per word

  /// `is_strict`: plain writes of one value race.
  explicit access_history(bool is_strict = false) : is_strict_(is_strict) {}

  /// Adds an access of the lanes in `now`, one of which knows `known`, to the bytes from `address` on.
  /// Calls `report(earlier, conflict, address)` for each record that it conflicts with.
  template <class Report>
  void add(std::uint64_t address, std::uint32_t bytes, access_record now, const vector_clock* known,
           const std::byte* value, Report report) {
    const bool by_words = address % 4 == 0 && bytes % 4 == 0;
    for (std::uint32_t done = 0; done < bytes;) {
      page& p = open(address + done, by_words);
      const std::uint32_t step = p.by_words ? 4 : 1;
      now.value = 0;
      if (value != nullptr) std::memcpy(&now.value, value + done, step);
      add(p.cells[(address + done) % page_bytes / step], now, known,
          [&](const access_record& earlier, conflict c) { report(earlier, c, address + done); });
      done += step;
    }
  }

 private:
  struct cell {
    access_record first;
    std::unique_ptr<std::vector<access_record>> more;
  };
  struct page {
    bool by_words = true;
    std::vector<cell> cells;
  };

  /// An access of `now.kind` races with all that one of kind `k` races with.
  static bool stands_for(access_kind now, access_kind k) {
    return now == access_kind::write || now == k || k == access_kind::strong_read;
  }

  template <class Report>
  void add(cell& c, const access_record& now, const vector_clock* known, Report report) const {
    bool is_kept = false;
    const auto keeps = [&](access_record& r) {
      const bool may_race = is_strict_ && now.kind == access_kind::write && r.lanes != now.lanes;
      if (r.warp == now.warp && r.epoch == now.epoch && r.operation == now.operation && r.kind == now.kind &&
          r.value == now.value && !may_race) {
        r.lanes |= now.lanes;
        is_kept = true;
        return true;
      }
      std::uint32_t others = r.lanes;
      if (r.warp == now.warp && std::has_single_bit(now.lanes)) others &= ~now.lanes;
      const bool is_ordered = others == 0 || (known != nullptr && known->covers(r.warp, others, r.epoch));
      const bool is_unseen = is_ordered && now.is_async_proxy && !is_write(now.kind) && is_write(r.kind) &&
                             !r.warp.is_engine() && !known->covers(r.warp.beside(engine::proxy), others, r.epoch);
      const conflict found = is_unseen ? conflict::other_proxy : is_ordered ? conflict::none : conflict_of(r, now, is_strict_);
      if (found != conflict::none) {
        access_record racing = r;
        racing.lanes = others;
        report(racing, found);
      }
      const bool is_repeated = r.warp == now.warp && (r.lanes & ~now.lanes) == 0;
      return !(is_ordered || is_repeated) || !stands_for(now.kind, r.kind);
    };
    if (c.first.lanes != 0 && !keeps(c.first)) c.first = {};
    std::size_t count = 0;
    if (c.more != nullptr) {
      std::erase_if(*c.more, [&](access_record& r) { return !keeps(r); });
      count = c.more->size();
    }
    if (is_kept) return;
    if (c.first.lanes == 0) {
      c.first = now;
    } else if (count < most_records) {
      if (c.more == nullptr) c.more = std::make_unique<std::vector<access_record>>();
      c.more->push_back(now);
    }
  }

  page& open(std::uint64_t address, bool by_words) {
    const std::uint64_t number = address / page_bytes;
    if (last_ == nullptr || number != last_number_) {
      std::unique_ptr<page>& found = pages_[number];
      if (found == nullptr) {
        found = std::make_unique<page>();
        found->by_words = by_words;
        found->cells.resize(by_words ? page_bytes / 4 : page_bytes);
      }
      last_ = found.get();
      last_number_ = number;
    }
    if (last_->by_words && !by_words) split(*last_);
    return *last_;
  }

  /// From words to bytes.
  static void split(page& p) {
    std::vector<cell> bytes(page_bytes);
    for (std::size_t k = 0; k < page_bytes; ++k) {
      const cell& word = p.cells[k / 4];
      const auto part = [&](access_record r) {
        r.value = (r.value >> (k % 4 * 8)) & 0xff;
        return r;
      };
      bytes[k].first = part(word.first);
      if (word.more == nullptr) continue;
      bytes[k].more = std::make_unique<std::vector<access_record>>();
      for (const access_record& r : *word.more) bytes[k].more->push_back(part(r));
    }
    p.cells = std::move(bytes);
    p.by_words = false;
  }

  bool is_strict_;
  std::unordered_map<std::uint64_t, std::unique_ptr<page>> pages_;
  page* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace tg::emulator::check
