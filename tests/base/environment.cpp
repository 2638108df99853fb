#include <tg/base/environment.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <tests/program_copy.hpp>

using tg::trusted_variable;

TEST_CASE("a variable is what it says, and null when unset or empty") {
  setenv("TG_TEST_VARIABLE", "a name", 1);
  CHECK(std::string(trusted_variable("TG_TEST_VARIABLE")) == "a name");
  setenv("TG_TEST_VARIABLE", "", 1);
  CHECK(trusted_variable("TG_TEST_VARIABLE") == nullptr);
  unsetenv("TG_TEST_VARIABLE");
  CHECK(trusted_variable("TG_TEST_VARIABLE") == nullptr);
}

// What the next test case runs in other processes.
TEST_CASE("is trusted" * doctest::skip()) { CHECK(trusted_variable("TG_TEST_VARIABLE") != nullptr); }

TEST_CASE("a program with other rights than its user trusts no variable") {
  const program_copy program;
  CHECK(program.passes("is trusted", "TG_TEST_VARIABLE=x"));
  if (!program.give_other_rights()) {
    MESSAGE("skipped: only root gives a program the rights of another user, and not everywhere");
    return;
  }
  CHECK(!program.passes("is trusted", "TG_TEST_VARIABLE=x"));
}
