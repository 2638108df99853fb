#include <tg/driver/fork.hpp>

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

TEST_CASE("a child knows that it is one, and so does its child; the parent stays what it is") {
  tg::driver::watch_forks();
  tg::driver::watch_forks();
  CHECK_FALSE(tg::driver::is_forked());
  const pid_t child = ::fork();
  if (child == 0) {
    const bool is_known = tg::driver::is_forked();
    const pid_t second = ::fork();
    if (second == 0) ::_exit(tg::driver::is_forked() ? 0 : 1);
    int status = 0;
    ::waitpid(second, &status, 0);
    ::_exit(is_known && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK_FALSE(tg::driver::is_forked());
}
