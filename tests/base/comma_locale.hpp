// A program whose locale writes 1,5 for 1.5: made with libc's own localedef, set for C and for C++ streams.
#pragma once

#include <doctest/doctest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <string>

#include <unistd.h>

/// Set from here on, until it ends.
class comma_locale {
 public:
  comma_locale() : folder_(std::filesystem::temp_directory_path() / ("tg_locale_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "comma.src") << "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                            "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    const std::string in = "'" + folder_.string();
    const std::string make = "localedef --no-archive -c -i " + in + "/comma.src' " + in + "/comma' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0) {  // 1: made, with warnings about the categories that it lacks
    }
    ::setenv("LOCPATH", folder_.c_str(), 1);
    before_ = std::setlocale(LC_NUMERIC, nullptr);
    streams_before_ = std::locale::global(std::locale(std::locale::classic(), new comma));
    is_set_ = std::setlocale(LC_NUMERIC, "comma") != nullptr;
    ::unsetenv("LOCPATH");
    if (!is_set_) MESSAGE("printf's part of this test is left out: localedef made no locale");
  }
  ~comma_locale() {
    std::locale::global(streams_before_);
    std::setlocale(LC_NUMERIC, before_.c_str());
    std::filesystem::remove_all(folder_);
  }
  comma_locale(const comma_locale&) = delete;
  comma_locale& operator=(const comma_locale&) = delete;

  /// Whether printf writes commas now.
  bool is_set() const { return is_set_; }

 private:
  struct comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  std::filesystem::path folder_;
  std::string before_;
  std::locale streams_before_;
  bool is_set_ = false;
};
