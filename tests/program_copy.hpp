// A test case of this program in another process, with other variables and with the rights of its user or of another one.
#pragma once

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <tests/runtime/temporary_folder.hpp>

/// A copy of this program, which may get other rights than the user who starts it, as setuid programs have.
class program_copy {
 public:
  program_copy() { std::filesystem::copy_file("/proc/self/exe", path_); }

  /// Gives it to another user, whose rights it has from now on. False where that is not possible: only root can do it, and not
  /// on every file system.
  bool give_other_rights() const {
    constexpr unsigned nobody = 65534;
    struct statvfs mount{};
    return statvfs(folder_.path().c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID) == 0 &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 && geteuid() == 0 && chmod(folder_.path().c_str(), 0755) == 0 &&
           chown(path_.c_str(), nobody, nobody) == 0 && chmod(path_.c_str(), 04755) == 0;
  }
  /// Whether a test case, which other runs skip, passes there with these variables set: "A=1 B=2".
  bool passes(const std::string& test_case, const std::string& variables) const {
    return std::system((command(test_case, variables) + " >/dev/null 2>&1").c_str()) == 0;
  }
  /// What the test case writes to standard error.
  std::string errors_of(const std::string& test_case, const std::string& variables) const {
    const std::string file = folder_ / "errors";
    [[maybe_unused]] const int status = std::system((command(test_case, variables) + " >/dev/null 2>" + file).c_str());
    std::ostringstream out;
    out << std::ifstream(file).rdbuf();
    return out.str();
  }

 private:
  std::string command(const std::string& test_case, const std::string& variables) const {
    return "env " + variables + ' ' + path_ + " --no-skip --test-case='" + test_case + '\'';
  }

  temporary_folder folder_;
  std::string path_ = folder_ / "program";
};
