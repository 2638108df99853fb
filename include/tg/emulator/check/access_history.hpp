// The accesses to a memory that a later access may race with: per word, or per byte where narrower accesses were made.
// An access is forgotten when one that happened after it would race with all that it would.
//
// A page of memory starts as a list of even accesses, each of many threads of one block. While each new access is free
// of conflicts with all of the list, by its addresses or by its place in time, no word is looked at. The first access
// for which that is not so turns the page into words: the list is added to them, access by access, in its order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/check/access_record.hpp>
#include <tg/emulator/check/touched_bytes.hpp>
#include <tg/emulator/check/word_accesses.hpp>

namespace tg::emulator::check {

class access_history {
 public:
  static constexpr std::uint64_t page_bytes = 1024;
  static constexpr std::size_t most_even = 2048;  // per page

  /// `is_strict`: plain writes of one value race. `host`: where address 0 is in the host's memory.
  explicit access_history(bool is_strict = false, std::uint64_t host = 0) : is_strict_(is_strict), host_(host) {}

  /// Adds an access of the lanes in `now`, one of which knows `known`, to the bytes from `address` on.
  /// Calls `report(earlier, conflict, address)` for each record that it conflicts with.
  template <class Report>
  void add(std::uint64_t address, std::uint32_t bytes, access_record now, const vector_clock* known, const std::byte* value,
           Report report) {
    const bool by_words = address % 4 == 0 && bytes % 4 == 0;
    for (std::uint32_t done = 0; done < bytes;) {
      page& p = open(address + done, by_words);
      const std::uint32_t step = p.by_words ? 4 : 1;
      now.value = 0;
      if (value != nullptr) std::memcpy(&now.value, value + done, step);
      p.cells[(address + done) % page_bytes / step].add(
          now, known, is_strict_, [&](const access_record& earlier, conflict c) { report(earlier, c, address + done); });
      done += step;
    }
  }

  /// Adds an access of many threads. `value(thread, to)` fetches what a thread writes, which is not in memory yet.
  /// Calls `report(now, earlier, conflict, address)` as `add` of each thread in turn would.
  template <class Value, class Report> void add(const even_record& r, Value value, Report report) {
    if (!find_parts(r)) {
      for (const part& of_page : parts_) divide(find(of_page.number), r.serial, value);
      return add_lanes(r, value, report);
    }
    for (const part& of_page : parts_) {
      page& p = find(of_page.number);
      if (p.cells.empty() && takes(p, r, of_page)) continue;
      divide(p, r.serial, value);
      even_record own = r;
      own.first = of_page.first;
      own.count = of_page.count;
      add_lanes(own, value, report);
    }
  }

  /// Adds all that was accessed and is remembered: of each byte at least the kinds of access that others conflict with.
  void collect(touched_bytes& to) const {
    for (const auto& [number, g] : groups_)
      for (std::uint64_t k = 0; k < group_pages; ++k)
        if (g->pages[k].is_used) collect(g->pages[k], (number * group_pages + k) * page_bytes, to);
  }

  /// Every access so far happened before every later one.
  void forget() {
    for (page* const p : used_) {
      p->log.clear();
      p->cells.clear();
      p->has_write = p->is_used = false;
    }
    used_.clear();
  }

 private:
  /// An even access inside one page.
  struct even_entry {
    even_record access;
    std::uint32_t low = 0, end = 0;  // bytes of the page
    bool is_dense = false;           // all of them are touched, each by one thread
  };
  struct page {
    bool by_words = true;    // no narrower access was ever made; says how often a conflict counts
    bool has_write = false;  // in the log
    bool is_used = false;    // has accesses
    dynamic_array<even_entry> log;
    dynamic_array<word_accesses> cells;  // empty: all accesses are in the log
  };
  /// Neighbouring pages. Kernels touch most of the memory around what they touch, and one search finds all of them.
  static constexpr std::uint64_t group_pages = 64;
  struct group { std::array<page, group_pages> pages; };
  /// Threads whose addresses are in one page.
  struct part {
    std::uint64_t number;
    std::uint32_t first, count;
    std::uint64_t low, end;
    std::uint64_t bytes;  // of all threads
  };

  /// Finds the parts of an access, in the order of the threads. Returns: false where a page may have two.
  bool find_parts(const even_record& r) {
    parts_.clear();
    const std::int64_t step = r.at.step();
    const std::uint64_t bytes = r.at.bytes();
    r.at.each_row(r.first, r.count, [&](std::uint64_t address, std::uint32_t first, std::uint32_t count) {
      while (count != 0) {
        const std::uint64_t number = address / page_bytes, at = address % page_bytes;
        std::uint64_t inside = count;
        if (step > 0) inside = std::min<std::uint64_t>(count, (page_bytes - at - 1) / static_cast<std::uint64_t>(step) + 1);
        if (step < 0) inside = std::min<std::uint64_t>(count, at / static_cast<std::uint64_t>(-step) + 1);
        const std::uint64_t last = address + static_cast<std::uint64_t>(step * static_cast<std::int64_t>(inside - 1));
        const std::uint64_t low = std::min(address, last) % page_bytes, end = std::max(address, last) % page_bytes + bytes;
        if (parts_.empty() || parts_.back().number != number) {
          parts_.push_back({number, first, static_cast<std::uint32_t>(inside), low, end, inside * bytes});
        } else {
          part& known = parts_.back();
          known.count += static_cast<std::uint32_t>(inside);
          known.low = std::min(known.low, low);
          known.end = std::max(known.end, end);
          known.bytes += inside * bytes;
        }
        first += static_cast<std::uint32_t>(inside);
        count -= static_cast<std::uint32_t>(inside);
        address += static_cast<std::uint64_t>(step * static_cast<std::int64_t>(inside));
      }
    });
    for (std::size_t k = 2; k < parts_.size(); ++k)
      if ((parts_[k].number > parts_[k - 1].number) != (parts_[1].number > parts_[0].number)) return false;
    return true;
  }

  /// Whether `now` happens after all of an earlier access.
  static bool is_after(const even_record& now, const even_record& earlier) {
    if (now.is_united && earlier.is_united && now.block == earlier.block && earlier.epoch < now.epoch) return true;
    if (now.known == nullptr) return false;
    for (std::uint32_t w = earlier.first / 32; w * 32 < earlier.first + earlier.count; ++w)
      if (!now.known->covers({earlier.block, w}, earlier.lanes(w), earlier.epoch)) return false;
    return true;
  }

  /// Puts an access into the log of its page, if it has no conflict there that can be seen from the whole access.
  bool takes(page& p, const even_record& r, const part& of_page) {
    const bool writes = r.kind == access_kind::write;
    if (!writes && !p.log.empty()) {
      const even_entry& last = p.log.back();
      if (last.access.kind == r.kind && last.access.operation == r.operation && last.access.epoch == r.epoch &&
          last.access.block == r.block && last.access.first == of_page.first && last.access.count == of_page.count &&
          last.access.at == r.at)
        return true;
    }
    const bool is_dense = r.at.is_apart() && of_page.bytes == of_page.end - of_page.low;
    if (writes || p.has_write || p.log.size() >= most_even) {
      for (const even_entry& e : p.log) {
        if ((!writes && e.access.kind == access_kind::read) || e.end <= of_page.low || of_page.end <= e.low) continue;
        const bool is_own = e.access.block == r.block && e.access.at == r.at && r.at.is_apart();
        if (!is_own && !e.access.at.alternates_with(r.at) && !is_after(r, e.access)) return false;
      }
      // What every thread would make its words forget.
      tg::erase_if(p.log, [&](const even_entry& e) {
        if (!is_dense || e.low < of_page.low || e.end > of_page.end || !stands_for(r.kind, e.access.kind)) return false;
        return (e.access.block == r.block && e.access.at == r.at) || is_after(r, e.access);
      });
      if (p.log.size() >= most_even) return false;
      if (p.log.empty()) p.has_write = false;
    }
    use(p);
    p.by_words = p.by_words && r.at.bytes() % 4 == 0;
    p.has_write = p.has_write || writes;
    even_entry& made = p.log.emplace_back(
        even_entry{r, static_cast<std::uint32_t>(of_page.low), static_cast<std::uint32_t>(of_page.end), is_dense});
    made.access.first = of_page.first;
    made.access.count = of_page.count;
    return true;
  }

  /// Adds an even access lane by lane, all in one page.
  template <class Value, class Report> void add_lanes(const even_record& r, Value value, Report report) {
    const bool writes = r.kind == access_kind::write;
    std::array<std::byte, 64> bytes;
    std::array<std::uint64_t, 32> address;
    std::array<std::uint32_t, 32> alike;
    for (std::uint32_t w = r.first / 32; w * 32 < r.first + r.count; ++w) {
      const std::uint32_t lanes = r.lanes(w);
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        address[i] = r.at.of(w * 32 + i);
        alike[i] = 1u << i;
      }
      if (!writes && !r.at.is_apart()) find_alike(lanes, address.data(), alike);
      for (std::uint32_t left = lanes; left != 0;) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        left &= ~alike[i];
        const access_record now{{r.block, w}, alike[i], r.epoch, r.operation, 0, r.kind, scope::all};
        if (writes) value(w * 32 + i, bytes.data());
        add(address[i], r.at.bytes(), now, r.known.get(), writes ? bytes.data() : nullptr,
            [&](const access_record& earlier, conflict c, std::uint64_t at) { report(now, earlier, c, at); });
      }
    }
  }

  /// From a log to words. What was written is in memory, or was written again by the same threads or later ones; what
  /// instruction `serial` writes is not there yet, `value` has it.
  template <class Value> void divide(page& p, std::uint64_t serial, Value value) {
    const dynamic_array<even_entry> log = std::move(p.log);
    p.log.clear();
    p.has_write = false;
    for (const even_entry& e : log)
      add_lanes(
          e.access,
          [&](std::uint32_t thread, std::byte* to) {
            if (e.access.serial == serial) return value(thread, to);
            std::memcpy(to, reinterpret_cast<const std::byte*>(host_ + e.access.at.of(thread)), e.access.at.bytes());
          },
          [](const access_record&, const access_record&, conflict, std::uint64_t) {});
  }

  /// All accesses of a page are in its log, and cover bytes that follow each other.
  static bool is_in_order(const page& p) {
    if (!p.cells.empty()) return false;
    std::uint32_t end = 0;
    for (const even_entry& e : p.log) {
      if (!e.is_dense || e.low < end) return false;
      end = e.end;
    }
    return true;
  }

  static void collect(const page& p, std::uint64_t base, touched_bytes& to) {
    if (is_in_order(p)) {
      for (const even_entry& e : p.log) to.add(base + e.low, e.end - e.low, bit_of(e.access.kind));
      return;
    }
    std::array<access_kinds, page_bytes> kinds{};
    const auto mark = [&](std::uint64_t at, std::uint64_t bytes, access_kind k) {
      const access_kinds bit = bit_of(k);
      for (std::uint64_t i = at, end = std::min(at + bytes, page_bytes); i < end; ++i)
        kinds[i] = static_cast<access_kinds>(kinds[i] | bit);
    };
    for (const even_entry& e : p.log) {
      if (e.is_dense) mark(e.low, e.end - e.low, e.access.kind);
      else
        for (std::uint32_t t = e.access.first; t < e.access.first + e.access.count; ++t)
          mark(e.access.at.of(t) - base, e.access.at.bytes(), e.access.kind);
    }
    const std::uint64_t step = p.by_words ? 4 : 1;
    for (std::size_t k = 0; k < p.cells.size(); ++k)
      p.cells[k].each([&](const access_record& r) { mark(k * step, step, r.kind); });
    to.add_each(base, kinds);
  }

  page& find(std::uint64_t number) {
    if (last_ == nullptr || number != last_number_) {
      last_ = &look_up(number);
      last_number_ = number;
    }
    return *last_;
  }
  page& look_up(std::uint64_t number) {
    std::unique_ptr<group>& found = groups_[number / group_pages];
    if (found == nullptr) found = std::make_unique<group>();
    return found->pages[number % group_pages];
  }

  void use(page& p) {
    if (!std::exchange(p.is_used, true)) used_.push_back(&p);
  }

  page& open(std::uint64_t address, bool by_words) {
    page& p = find(address / page_bytes);
    if (p.cells.empty()) {
      if (!p.log.empty()) {
        divide(p, 0, [](std::uint32_t, std::byte*) {});
      } else {
        use(p);
        p.by_words = p.by_words && by_words;
        p.cells.resize(p.by_words ? page_bytes / 4 : page_bytes);
      }
    }
    if (p.by_words && !by_words) split(p);
    return p;
  }

  /// From words to bytes.
  static void split(page& p) {
    dynamic_array<word_accesses> bytes(page_bytes);
    for (std::size_t k = 0; k < page_bytes; ++k) {
      bytes[k] = p.cells[k / 4].each_as([&](access_record r) {
        r.value = (r.value >> (k % 4 * 8)) & 0xff;
        return r;
      });
    }
    p.cells = std::move(bytes);
    p.by_words = false;
  }

  bool is_strict_;
  std::uint64_t host_;
  std::unordered_map<std::uint64_t, std::unique_ptr<group>> groups_;
  dynamic_array<page*> used_;
  dynamic_array<part> parts_;  // of the access that is added
  page* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace tg::emulator::check
