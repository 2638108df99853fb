#include <tg/base/error.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("an error says the code, the fact, the fix and the line") {
  const tg::error e(tg::code{204}, "the index depends on data", "write tg::gather(index)", {"a/b/kernel.cpp", 12});
  CHECK(std::string(e.what()) == "TG204: the index depends on data; write tg::gather(index) (kernel.cpp:12)");
  CHECK(e.number() == 204);
  CHECK(e.code() == tg::code{204});
  CHECK(e.where().line == 12);
}

TEST_CASE("what is not known is left out") {
  CHECK(std::string(tg::error(tg::code{501}, "no driver").what()) == "TG501: no driver");
  CHECK(std::string(tg::error(tg::code{501}, "no driver", "install one").what()) == "TG501: no driver; install one");
}

TEST_CASE("a file name that is no literal lives as long as the error and its copies") {
  const auto make = [] {
    std::string file = "a_rather_long_file_name_that_is_on_the_heap.ptx";
    const tg::error e(tg::code{300}, "a message", "", file, 3);
    file.assign(file.size(), '?');
    return tg::error(e);
  };
  const tg::error e = make();
  CHECK(std::string(e.where().file) == "a_rather_long_file_name_that_is_on_the_heap.ptx");
  CHECK(std::string(e.what()) == "TG300: a message (a_rather_long_file_name_that_is_on_the_heap.ptx:3)");
}
