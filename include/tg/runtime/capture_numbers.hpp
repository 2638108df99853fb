// Numbers for kernels whose lambda captures: one for each type and each value of the captured bytes, so that a launch finds
// the kernel that was recorded before.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <tg/runtime/module_cache.hpp>

namespace tg::runtime {

/// The number of a kernel that is recorded at each call. (A plain number, because std::optional costs a launch 5 ns.)
inline constexpr std::size_t no_number = ~std::size_t{0};

/// Whether a kernel captures, and its lambda can be told from another by its bytes.
template <class Kernel>
inline constexpr bool has_bytes = [] {
  if constexpr (requires(Kernel k) { k.body; }) {
    using Body = std::remove_cvref_t<decltype(std::declval<Kernel>().body)>;
    return std::is_trivially_copyable_v<Body> && !std::is_empty_v<Body> && sizeof(Body) <= 256;
  }
  return false;
}();

/// Whether a word of `bytes`, at a multiple of 8, is an address in this process: what a pointer or a reference that was
/// captured leads to may have changed since. A number that happens to be one counts as an address.
bool may_hold_address(const void* bytes, std::size_t size);

/// From here to `unlock_numbers` no other thread adds a number.
void lock_numbers();
/// Lets other threads add numbers again.
void unlock_numbers();
/// While it lives, no other thread adds a number.
struct numbers_lock {
  numbers_lock() { lock_numbers(); }
  numbers_lock(const numbers_lock&) = delete;
  numbers_lock& operator=(const numbers_lock&) = delete;
  ~numbers_lock() { unlock_numbers(); }
};

/// The numbers of one type of kernel. Finding a known one takes no lock.
template <class Kernel> class capture_numbers {
  using Body = std::remove_cvref_t<decltype(std::declval<Kernel>().body)>;

 public:
  /// `no_number` for bytes that may hold an address.
  static std::size_t of(const Body& body) {
    const node* const last = last_.load(std::memory_order_acquire);
    if (last != nullptr && std::memcmp(last->given, static_cast<const void*>(&body), sizeof(Body)) == 0) [[likely]]
      return last->number;
    return look_up(body);
  }

 private:
  static constexpr std::size_t padded = (sizeof(Body) + 7) / 8 * 8;

  struct node {
    unsigned char bytes[padded];
    unsigned char given[sizeof(Body)];  // with what lay between the members
    std::size_t number;
    const node* next;
  };

  [[gnu::noinline]] static std::size_t look_up(const Body& body) {
    alignas(8) unsigned char bytes[padded]{};
    copy_without_padding(bytes, body);
    std::atomic<const node*>& bucket = buckets_[hash(bytes) % buckets_.size()];
    const node* known = find(bucket.load(std::memory_order_acquire), bytes);
    if (known == nullptr) {
      if (may_hold_address(bytes, sizeof(Body))) return no_number;  // a last word that is not whole holds none
      known = add(bucket, bytes, body);
      if (known == nullptr) return no_number;
    }
    last_.store(known, std::memory_order_release);
    return known->number;
  }

  // What lies between the members is not copied, where the compiler can tell.
  static void copy_without_padding(unsigned char* to, const Body& body) {
#if __has_builtin(__builtin_clear_padding)
    alignas(Body) unsigned char copy[sizeof(Body)];
    std::memcpy(copy, static_cast<const void*>(&body), sizeof(Body));
    __builtin_clear_padding(reinterpret_cast<Body*>(copy));
    std::memcpy(to, copy, sizeof(Body));
#else
    std::memcpy(to, static_cast<const void*>(&body), sizeof(Body));
#endif
  }

  static std::uint64_t hash(const unsigned char* bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < padded; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i, 8);
      out = (out ^ word) * 0x9e3779b97f4a7c15ull;
      out ^= out >> 29;
    }
    return out;
  }

  static const node* find(const node* at, const unsigned char* bytes) {
    while (at != nullptr && std::memcmp(at->bytes, bytes, padded) != 0) at = at->next;
    return at;
  }

  static const node* add(std::atomic<const node*>& bucket, const unsigned char* bytes, const Body& body) {
    const numbers_lock lock;
    const node* const first = bucket.load(std::memory_order_relaxed);
    if (const node* known = find(first, bytes)) return known;
    if (count_ == most) return nullptr;
    ++count_;
    node* const made = new node;  // kept as long as the process, like the number
    std::memcpy(made->bytes, bytes, padded);
    std::memcpy(made->given, static_cast<const void*>(&body), sizeof(Body));
    made->number = kernel_count++;
    made->next = first;
    bucket.store(made, std::memory_order_release);
    return made;
  }

  static constexpr std::size_t most = 4096;  // values that are told apart; what comes later is recorded at each call
  static inline std::size_t count_ = 0;
  static inline std::array<std::atomic<const node*>, 64> buckets_{};
  static inline std::atomic<const node*> last_ = nullptr;  // the one that was asked for last
};

}  // namespace tg::runtime
