#include <tg/runtime/recent_launches.hpp>

#include <doctest/doctest.h>

using tg::driver::stream_handle;
using tg::runtime::recent_launches;

namespace {

stream_handle stream(int n) { return reinterpret_cast<stream_handle>(static_cast<std::uintptr_t>(0x1000 * n)); }

}  // namespace

TEST_CASE("the last launch is suspected first, of all or of one stream") {
  recent_launches launches;
  CHECK(launches.suspect().text == "no kernel was launched here since the last synchronisation");
  launches.note("a", {"a.cpp", 1}, stream(1));
  launches.note("b", {"b.cpp", 2}, stream(2));
  launches.note("c", {"c.cpp", 3}, stream(1));
  launches.note("d", {"d.cpp", 4}, stream(2));
  const auto all = launches.suspect();
  CHECK(all.text ==
        "most likely the fault of 'd', the last of 4 launches since the last synchronisation; the one before it was 'c'");
  CHECK(all.where.line == 4);
  const auto one = launches.suspect(stream(1));
  CHECK(one.text ==
        "most likely the fault of 'c', the last of 2 launches on this stream since the last synchronisation; the one "
        "before it was 'a'");
  CHECK(one.where.line == 3);
  CHECK(launches.suspect(stream(3)).text == "no kernel was launched on this stream since the last synchronisation");
  CHECK_FALSE(launches.suspect(stream(3)).where.is_known());
}

TEST_CASE("launches that ended well are suspected no more") {
  recent_launches launches;
  launches.note("a", {"a.cpp", 1}, stream(1));
  launches.note("b", {"b.cpp", 2}, stream(2));
  launches.forget(stream(2));
  CHECK(launches.suspect().where.line == 1);
  launches.forget();
  CHECK(launches.count() == 0);
  CHECK_FALSE(launches.suspect().where.is_known());
  const std::string short_lived = "c";
  launches.note(short_lived.c_str(), {"c.cpp", 3});
  launches.forget_name(short_lived.c_str());
  CHECK_FALSE(launches.suspect().where.is_known());
}

TEST_CASE("more launches than are kept are counted") {
  recent_launches launches;
  for (int i = 0; i < 1000; ++i) launches.note(i < 999 ? "early" : "last", {"a.cpp", i});
  CHECK(launches.count() == 1000);
  CHECK(launches.suspect().text.find("'last', the last of 1000 launches") != std::string::npos);
}
