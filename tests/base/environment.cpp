#include <tg/base/environment.hpp>

#include <doctest/doctest.h>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <tests/runtime/temporary_folder.hpp>

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
  constexpr unsigned nobody = 65534;
  const temporary_folder folder;
  const std::string program = folder / "program";
  std::filesystem::copy_file("/proc/self/exe", program);
  const auto status = [&] {
    const std::string command = "TG_TEST_VARIABLE=x " + program + " --no-skip --test-case='is trusted' >/dev/null";
    return std::system(command.c_str());
  };
  CHECK(status() == 0);
  struct statvfs mount{};
  const bool is_allowed = statvfs(folder.path().c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) == 0 &&
                          prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
  const bool is_possible = is_allowed && geteuid() == 0 && chmod(folder.path().c_str(), 0755) == 0 &&
                           chown(program.c_str(), nobody, nobody) == 0 && chmod(program.c_str(), 04755) == 0;
  if (!is_possible) {
    MESSAGE("skipped: only root gives a program the rights of another user, and not everywhere");
    return;
  }
  CHECK(status() != 0);
}
