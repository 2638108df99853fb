// What people get wrong, row by row: the act, and the error that tells them. docs/error_pages.py shows the rows of the tables.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tg/base/error.hpp>

struct misuse {
  std::string_view what;
  int code;
  std::string_view says;  // a part of the message
  std::function<void()> act;
};

/// Each act throws its code and message; `goes_on()` holds behind each.
template <class GoesOn> void check_misuses(const std::vector<misuse>& rows, GoesOn goes_on) {
  std::set<std::string_view> kinds;
  for (const misuse& one : rows) {
    CAPTURE(std::string(one.what));
    kinds.insert(one.what);
    std::string text;
    int number = 0;
    try {
      one.act();
    } catch (const tg::error& e) {
      text = e.what();
      number = e.number();
    }
    CAPTURE(text);
    CHECK(number == one.code);
    CHECK(text.find(one.says) != std::string::npos);
    CHECK(text.starts_with("TG" + std::to_string(one.code) + ": "));
    CHECK(goes_on());
  }
  CHECK(kinds.size() == rows.size());
}

inline void check_misuses(const std::vector<misuse>& rows) {
  check_misuses(rows, [] { return true; });
}
