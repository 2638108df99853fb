// What the judges are asked for: `[seconds] [--cases N] [--seed S] [--plant NAME] [--keep-going]`. An interrupt or a
// termination request ends them after the case at hand, with their totals. A case of more than five minutes of processor time
// is a finding, and ends them at once: something takes exponential time, or never ends.
#pragma once

#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plant.hpp"

namespace judge {

struct command_line {
  double seconds = 60;
  long cases = std::numeric_limits<long>::max();
  std::uint64_t seed = 1;
  plant broken = plant::none;
  bool keeps_going = false;  // after a finding

  /// Ends the program where a word is not known.
  command_line(int count, char** words, const std::vector<std::pair<std::string, plant>>& plants) {
    std::signal(SIGINT, end_soon);
    std::signal(SIGTERM, end_soon);
    std::signal(SIGALRM, end_now);
    std::signal(SIGPROF, end_now);
    for (int n = 1; n < count; ++n) {
      const std::string word = words[n];
      const auto next = [&]() -> std::string {
        if (++n == count) fail(word + " wants a word behind it");
        return words[n];
      };
      if (word == "--cases") cases = std::atol(next().c_str()), seconds = 1e9;
      else if (word == "--seed") seed = std::strtoull(next().c_str(), nullptr, 10);
      else if (word == "--keep-going") keeps_going = true;
      else if (word == "--plant") {
        const std::string wanted = next();
        for (const auto& [name, p] : plants)
          if (name == wanted) broken = p;
        if (broken == plant::none) {
          std::string known;
          for (const auto& [name, p] : plants) known += " " + name;
          fail("no defect is called " + wanted + "; there are:" + known);
        }
      } else if (word.find_first_not_of("0123456789") == word.npos) seconds = std::atof(word.c_str());
      else fail("unknown word " + word + "; [seconds] [--cases N] [--seed S] [--plant NAME] [--keep-going]");
    }
  }

  /// Whether there is time for case number `n`.
  bool goes_on(long n) const {
    const bool is_next = ends_soon_ == 0 && n < cases && elapsed() < seconds;
    std::snprintf(too_long_, sizeof too_long_, "case %ld of seed %llu does not end\n", n,
                  static_cast<unsigned long long>(seed));
    const itimerval most{{0, 0}, {is_next ? most_seconds_ : 0, 0}};
    setitimer(ITIMER_PROF, &most, nullptr);
    return is_next;
  }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
  }
  static void end_soon(int) {
    ends_soon_ = 1;
    alarm(10);
  }
  static void end_now(int) {
    [[maybe_unused]] const auto written = write(STDOUT_FILENO, too_long_, std::strlen(too_long_));
    _exit(1);
  }
  static constexpr long most_seconds_ = 300;
  inline static char too_long_[80] = {};
  inline static volatile std::sig_atomic_t ends_soon_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace judge
