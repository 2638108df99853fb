// Children of fork, and what they throw.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <tg/base/error.hpp>

#include "hand_written.hpp"

/// What a child of fork prints of an error; empty when it throws none.
template <class F> std::string in_child(F f) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = hand_written::error_of(f).text;
    [[maybe_unused]] const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string out(4096, '\0');
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], out.data(), out.size()))));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  return out;
}

/// Calls f in a child, and throws here what it throws there.
template <class F> void run_in_child(F f) {
  const std::string text = in_child(f);
  if (text.empty()) return;
  const auto begin = text.find(": ") + 2;
  throw tg::error(tg::code{std::atoi(text.c_str() + 2)}, text.substr(begin), "");
}
