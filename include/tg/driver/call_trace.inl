// How calls are written down.
#pragma once

#include <tg/driver/call_trace.hpp>

#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <type_traits>

#include <tg/base/config.hpp>
#include <tg/base/number_text.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/driver/call.hpp>

namespace tg::driver::detail {

/// The file and the count of calls. Never closed: static objects may still call the driver when the process ends.
struct call_record {
  std::FILE* file = nullptr;
  stopwatch since_start;
  std::atomic<unsigned long> count{0};
};
inline call_record& the_record() {
  static call_record& own = *new call_record;
  return own;
}

inline void write_line(const std::string& line) {
  std::fputs(line.c_str(), the_record().file);  // a line at once: threads do not come between
  std::fflush(the_record().file);               // and before the call, which may not return
}

/// Returns: the number of the call.
inline unsigned long write_begin(const symbol& function, std::initializer_list<call_value> values) {
  call_record& own = the_record();
  const unsigned long number = ++own.count;
  write_line(std::to_string(number) + " at " + fixed_text(own.since_start.us(), 1) + " us: " + describe_call(function, values) +
             '\n');
  return number;
}

inline void write_end(unsigned long number, result r, const std::string& written, double us) {
  const result_info* const info = find_result(r);
  const std::string name = info != nullptr ? std::string(info->name) : std::to_string(static_cast<int>(r));
  write_line(std::to_string(number) + ": " + name + written + ", " + fixed_text(us, 1) + " us\n");
}

/// What a call wrote to the place that an argument names, where that is one number or handle.
template <class T> std::string text_of_written(T) { return ""; }
template <class T>
requires(!std::is_const_v<T> && !std::is_same_v<T, char> && (std::is_arithmetic_v<T> || std::is_pointer_v<T>))
std::string text_of_written(T* to) {
  if (to == nullptr) return "";
  if constexpr (std::is_pointer_v<T>) return ", " + hex(reinterpret_cast<std::uintptr_t>(*to));
  else if constexpr (std::is_same_v<T, device_address>) return ", " + hex(*to);
  else return ", " + std::to_string(*to);
}

/// Stands in the table for the function `Member`, which it calls.
template <auto Member> struct traced_call;
template <class... P, result (*table::*Member)(P...)> struct traced_call<Member> {
  static inline result (*own)(P...) = nullptr;
  static inline const symbol* function = nullptr;

  static result call(P... values) {
    const unsigned long number = write_begin(*function, {to_call_value(values)...});
    const stopwatch watch;
    const result r = own(values...);
    const double us = watch.us();
    std::string written;
    if (r == result::success) ((written += text_of_written(values)), ...);
    write_end(number, r, written, us);
    return r;
  }
};

TG_LIBRARY_FUNCTION bool trace_calls(table& api, const char* file) {
  call_record& record = the_record();
  std::FILE* const opened = std::fopen(file, "w");
  if (opened == nullptr) {
    std::fprintf(stderr, "tg: TG_LIBCUDA_TRACE: %s cannot be written; calls of the driver are not traced\n", file);
    return false;
  }
  if (record.file != nullptr) std::fclose(record.file);
  record.file = opened;
  for_each_member([&]<auto Member>(const symbol& s) {
    using traced = traced_call<Member>;
    if (api.*Member == nullptr || api.*Member == traced::call) return;
    traced::own = api.*Member;
    traced::function = &s;
    api.*Member = traced::call;
  });
  return true;
}

}  // namespace tg::driver::detail
