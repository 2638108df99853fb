// The text that a kernel's printf makes.
#pragma once

#include <locale.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace tg::emulator {

/// Gives the calling thread the C locale while it lives, so that printf writes a point into its numbers.
class c_locale {
 public:
  c_locale() {
    static const locale_t c = ::newlocale(LC_ALL_MASK, "C", nullptr);
    before_ = ::uselocale(c);
  }
  ~c_locale() { ::uselocale(before_); }
  c_locale(const c_locale&) = delete;
  c_locale& operator=(const c_locale&) = delete;

 private:
  locale_t before_;
};

/// Formats as C does in the C locale. Memory is what reads the device: `bytes(address, to, count)` and `text(address)`.
/// PTX: vprintf; its arguments lie one behind the other, each aligned to its own size, floats as f64.
template <class Memory> class printf_text {
 public:
  printf_text(Memory& memory, std::uint64_t arguments) : memory_(memory), next_(arguments) {}

  std::string operator()(std::string_view format) {
    const c_locale numbers;
    std::string out;
    for (std::size_t at = 0; at < format.size();) {
      const std::size_t percent = std::min(format.find('%', at), format.size());
      out.append(format.substr(at, percent - at));
      at = percent;
      if (at == format.size()) break;
      if (at + 1 < format.size() && format[at + 1] == '%') {
        out.push_back('%');
        at += 2;
      } else {
        at = conversion(format, at, out);
      }
    }
    return out;
  }

  /// How many arguments were used.
  int count() const { return count_; }

 private:
  /// One conversion, from its `%`; returns where it ends. What is none is text.
  std::size_t conversion(std::string_view format, std::size_t begin, std::string& out) {
    std::size_t at = begin + 1;
    const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
    std::string flags;
    while (peek() != '\0' && std::strchr("-+ #0", peek()) != nullptr) flags.push_back(format[at++]);
    int width = number(format, at, 0), precision = -1;
    if (width < 0) {
      flags.push_back('-');
      width = -width;
    }
    if (peek() == '.') {
      ++at;
      precision = number(format, at, 0);
    }
    std::string size;
    while (peek() != '\0' && std::strchr("hljztL", peek()) != nullptr) size.push_back(format[at++]);
    const char kind = peek();
    const bool is_wide = size == "l" || size == "ll" || size == "j" || size == "z" || size == "t";
    const std::string spec = "%" + flags;
    if (kind == '\0' || std::strchr("diouxXcsfFeEgGaApn", kind) == nullptr) {
      out.append(format.substr(begin, at - begin));
      return at;
    }
    ++at;
    ++count_;
    switch (kind) {
      case 'd':
      case 'i':
        if (is_wide) put(out, spec + "*.*lld", width, precision, static_cast<long long>(take<std::int64_t>()));
        else put(out, spec + "*.*" + size + "d", width, precision, take<std::int32_t>());
        break;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        if (is_wide) put(out, spec + "*.*ll" + kind, width, precision, static_cast<unsigned long long>(take<std::uint64_t>()));
        else put(out, spec + "*.*" + size + kind, width, precision, take<std::uint32_t>());
        break;
      case 'c': put(out, spec + "*.*c", width, precision, take<std::int32_t>()); break;
      case 's': {
        const auto from = take<std::uint64_t>();
        put(out, spec + "*.*s", width, precision, (from == 0 ? std::string("(null)") : memory_.text(from)).c_str());
        break;
      }
      case 'p': put(out, spec + "*.*p", width, precision, reinterpret_cast<void*>(take<std::uint64_t>())); break;
      case 'n': take<std::uint64_t>(); break;
      default: put(out, spec + "*.*" + kind, width, precision, take<double>()); break;
    }
    return at;
  }

  /// Digits, or `*`: the next argument.
  int number(std::string_view format, std::size_t& at, int value) {
    if (at < format.size() && format[at] == '*') {
      ++at;
      ++count_;
      return std::clamp(take<std::int32_t>(), -most_width, most_width);
    }
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
      value = std::min(most_width, 10 * value + (format[at] - '0'));
    return value;
  }

  template <class T> T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    memory_.bytes(next_, &value, sizeof value);
    next_ += sizeof value;
    return value;
  }

  template <class... Arguments> static void put(std::string& out, const std::string& spec, Arguments... arguments) {
    const int length = std::snprintf(nullptr, 0, spec.c_str(), arguments...);
    if (length <= 0) return;
    const std::size_t before = out.size();
    out.resize(before + static_cast<std::size_t>(length) + 1);
    std::snprintf(out.data() + before, static_cast<std::size_t>(length) + 1, spec.c_str(), arguments...);
    out.pop_back();
  }

  static constexpr int most_width = 1 << 16;

  Memory& memory_;
  std::uint64_t next_;
  int count_ = 0;
};

}  // namespace tg::emulator
