#include <tg/base/stopwatch.hpp>

#include <doctest/doctest.h>

#include <chrono>

TEST_CASE("a stopwatch counts the microseconds that another clock counts") {
  const auto start = std::chrono::steady_clock::now();
  const tg::stopwatch watch;
  const auto outer = [&] {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  };
  double us = 0;
  while ((us = watch.us()) < 2000) {}
  CHECK(us <= outer());
  const double before = outer();
  CHECK(watch.us() >= before - us);
  CHECK(watch.us() >= us);
}

TEST_CASE("stopwatches know which was started later") {
  const tg::stopwatch first;
  while (first.us() < 100) {}
  const tg::stopwatch second;
  CHECK(second.us_after(first) >= 100);
  CHECK(first.us_after(second) == -second.us_after(first));
  CHECK(first.us_after(first) == 0);
}
