// A growing array that is cheap to compile. An unoptimised std::vector<T> is 60 functions for each T, and the passes and the
// emulator have a hundred such types: this one is five. Its interface is the part of std::vector's that the library uses.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <tg/base/config.hpp>

namespace tg {

namespace detail {

/// Elements of these types may be moved by memcpy, and need no destructor.
template <class T>
concept plain_element = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

/// Memory of `bytes`, with the first `used_bytes` of `old`, which is released.
inline void* moved_to_larger(void* old, std::size_t used_bytes, std::size_t bytes) {
  void* const out = ::operator new(bytes);
  if (used_bytes != 0) __builtin_memcpy(out, old, used_bytes);
  ::operator delete(old);
  return out;
}

}  // namespace detail

/// Elements side by side, as std::vector has them; growing moves them. An argument of `push_back`, `insert` and `assign` may be
/// an element of the array itself. Errors: std::bad_alloc.
template <class T> class dynamic_array {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  TG_ALWAYS_INLINE dynamic_array() {}
  explicit dynamic_array(std::size_t count) { resize(count); }
  dynamic_array(std::size_t count, const T& element) { resize(count, element); }
  dynamic_array(std::initializer_list<T> elements) { append(elements.begin(), elements.size()); }
  template <std::input_iterator First> dynamic_array(First first, First last) { insert(end(), first, last); }
  dynamic_array(const dynamic_array& other) { append(other.data_, other.size()); }
  TG_ALWAYS_INLINE dynamic_array(dynamic_array&& other) noexcept : data_(other.data_), end_(other.end_), limit_(other.limit_) {
    other.data_ = other.end_ = other.limit_ = nullptr;
  }
  dynamic_array& operator=(const dynamic_array& other) {
    if (this == &other) return *this;
    clear();
    append(other.data_, other.size());
    return *this;
  }
  dynamic_array& operator=(dynamic_array&& other) noexcept {
    dynamic_array taken(static_cast<dynamic_array&&>(other));
    swap(taken);
    return *this;
  }
  TG_ALWAYS_INLINE ~dynamic_array() {
    if constexpr (!detail::plain_element<T>) clear();
    ::operator delete(data_);
  }

  TG_ALWAYS_INLINE T* data() { return data_; }
  TG_ALWAYS_INLINE const T* data() const { return data_; }
  TG_ALWAYS_INLINE T* begin() { return data_; }
  TG_ALWAYS_INLINE const T* begin() const { return data_; }
  TG_ALWAYS_INLINE T* end() { return end_; }
  TG_ALWAYS_INLINE const T* end() const { return end_; }
  auto rbegin() const { return std::reverse_iterator<const T*>(end()); }
  auto rend() const { return std::reverse_iterator<const T*>(begin()); }
  TG_ALWAYS_INLINE std::size_t size() const { return static_cast<std::size_t>(end_ - data_); }
  TG_ALWAYS_INLINE std::size_t capacity() const { return static_cast<std::size_t>(limit_ - data_); }
  TG_ALWAYS_INLINE bool empty() const { return end_ == data_; }
  TG_ALWAYS_INLINE T& operator[](std::size_t i) { return data_[i]; }
  TG_ALWAYS_INLINE const T& operator[](std::size_t i) const { return data_[i]; }
  /// Errors: std::out_of_range.
  const T& at(std::size_t i) const {
    if (i >= size()) throw std::out_of_range("tg::dynamic_array::at");
    return data_[i];
  }
  TG_ALWAYS_INLINE T& front() { return data_[0]; }
  TG_ALWAYS_INLINE const T& front() const { return data_[0]; }
  TG_ALWAYS_INLINE T& back() { return end_[-1]; }
  TG_ALWAYS_INLINE const T& back() const { return end_[-1]; }

  void push_back(const T& element) {
    if (end_ != limit_) [[likely]]
      ::new (end_) T(element);
    else grow_by(T(element));
    ++end_;
  }
  void push_back(T&& element) requires(!detail::plain_element<T>)
  {
    if (end_ != limit_) [[likely]]
      ::new (end_) T(static_cast<T&&>(element));
    else grow_by(T(static_cast<T&&>(element)));
    ++end_;
  }
  template <class... Arguments> T& emplace_back(Arguments&&... arguments) {
    if (end_ != limit_) [[likely]]
      ::new (end_) T(static_cast<Arguments&&>(arguments)...);
    else grow_by(T(static_cast<Arguments&&>(arguments)...));
    return *end_++;
  }
  TG_ALWAYS_INLINE void pop_back() { (--end_)->~T(); }
  TG_ALWAYS_INLINE void clear() { shorten(0); }

  void reserve(std::size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (count <= capacity()) return;
    const std::size_t own = size();
    if constexpr (detail::plain_element<T>) {
      data_ = static_cast<T*>(detail::moved_to_larger(data_, own * sizeof(T), count * sizeof(T)));
    } else {
      T* const larger = static_cast<T*>(::operator new(count * sizeof(T)));
      for (std::size_t i = 0; i < own; ++i) {
        ::new (larger + i) T(static_cast<T&&>(data_[i]));
        data_[i].~T();
      }
      ::operator delete(data_);
      data_ = larger;
    }
    end_ = data_ + own;
    limit_ = data_ + count;
  }
  void resize(std::size_t count) {
    if (count > capacity()) reserve_grown(count);
    shorten(count);
    T* const wanted = data_ + count;
    if constexpr (detail::plain_element<T>) {
      for (T* at = end_; at != wanted; ++at) ::new (at) T();  // of numbers, compilers make one memset
      end_ = wanted;
    } else {
      for (; end_ != wanted; ++end_) ::new (end_) T();
    }
  }
  void resize(std::size_t count, const T& element) {
    if (count > capacity()) {
      const T own(element);
      reserve_grown(count);
      return resize(count, own);
    }
    shorten(count);
    T* const wanted = data_ + count;
    if constexpr (detail::plain_element<T>) {
      const T own = element;  // which nothing that is written here changes
      for (T* at = end_; at != wanted; ++at) ::new (at) T(own);
      end_ = wanted;
    } else {
      for (; end_ != wanted; ++end_) ::new (end_) T(element);
    }
  }
  void assign(std::size_t count, const T& element) {
    const T own(element);
    clear();
    resize(count, own);
  }
  template <std::input_iterator First> void assign(First first, First last) {
    clear();
    insert(end(), first, last);
  }

  /// In front of `place`. Returns: the place of the first one that was inserted.
  T* insert(const T* place, const T& element) {
    const auto at = static_cast<std::size_t>(place - data_);
    push_back(element);
    return turn_last_to(at, size() - 1);
  }
  T* insert(const T* place, std::size_t count, const T& element) {
    const auto at = static_cast<std::size_t>(place - data_);
    const std::size_t before = size();
    resize(before + count, element);
    return turn_last_to(at, before);
  }
  template <std::input_iterator First> T* insert(const T* place, First first, First last) {
    const auto at = static_cast<std::size_t>(place - data_);
    const std::size_t before = size();
    for (; first != last; ++first) push_back(*first);
    return turn_last_to(at, before);
  }
  T* erase(const T* first, const T* last) {
    T* const place = data_ + (first - data_);
    T* to = place;
    if (first != last)
      for (T* from = data_ + (last - data_); from != end(); ++from, ++to) *to = static_cast<T&&>(*from);
    else to = end();
    shorten(static_cast<std::size_t>(to - data_));
    return place;
  }
  T* erase(const T* place) { return erase(place, place + 1); }

  void swap(dynamic_array& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }

  friend bool operator==(const dynamic_array& a, const dynamic_array& b) {
    if (a.size() != b.size()) return false;
    if constexpr (std::is_integral_v<T>) return a.empty() || __builtin_memcmp(a.data_, b.data_, a.size() * sizeof(T)) == 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }
  /// In alphabetical order.
  friend bool operator<(const dynamic_array& a, const dynamic_array& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (a.data_[i] < b.data_[i]) return true;
      if (b.data_[i] < a.data_[i]) return false;
    }
    return a.size() < b.size();
  }

 private:
  // Puts an element that is no longer part of the array behind its end, without counting it.
  void grow_by(T&& element) {
    reserve(empty() ? 4 : 2 * size());
    ::new (end_) T(static_cast<T&&>(element));
  }
  // Twice as much at least, so that an array which grows by one element after the other is moved a few times only.
  void reserve_grown(std::size_t count) { reserve(count < 2 * capacity() ? 2 * capacity() : count); }
  void append(const T* elements, std::size_t count) {
    reserve(size() + count);
    if constexpr (detail::plain_element<T>) {
      if (count != 0) __builtin_memcpy(static_cast<void*>(end_), elements, count * sizeof(T));
      end_ += count;
    } else {
      for (std::size_t i = 0; i < count; ++i, ++end_) ::new (end_) T(elements[i]);
    }
  }
  TG_ALWAYS_INLINE void shorten(std::size_t count) {
    if constexpr (detail::plain_element<T>) {
      if (count < size()) end_ = data_ + count;
    } else {
      while (size() > count) pop_back();
    }
  }
  // Moves what lies from `middle` to the end in front of what lies from `at` to `middle`.
  T* turn_last_to(std::size_t at, std::size_t middle) {
    if (at == middle) return data_ + at;
    dynamic_array later;
    later.reserve(middle - at);
    for (std::size_t i = at; i < middle; ++i) later.push_back(static_cast<T&&>(data_[i]));
    std::size_t to = at;
    for (std::size_t i = middle; i < size(); ++i) data_[to++] = static_cast<T&&>(data_[i]);
    for (T& element : later) data_[to++] = static_cast<T&&>(element);
    return data_ + at;
  }

  // Three pointers: the number of elements would be one that writes to an array of numbers may change, for all that a compiler
  // knows, and loops over it would not be vectorised.
  T* data_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr;
};

/// Removes the elements for which `is_out` holds. Returns: how many.
template <class T, class Predicate> std::size_t erase_if(dynamic_array<T>& elements, Predicate is_out) {
  T* to = elements.begin();
  for (T& element : elements) {
    if (is_out(element)) continue;
    if (to != &element) *to = static_cast<T&&>(element);
    ++to;
  }
  const auto removed = static_cast<std::size_t>(elements.end() - to);
  elements.erase(to, elements.end());
  return removed;
}

/// Removes the elements that equal `element`. Returns: how many.
template <class T, class U> std::size_t erase(dynamic_array<T>& elements, const U& element) {
  return erase_if(elements, [&](const T& own) { return own == element; });
}

}  // namespace tg
