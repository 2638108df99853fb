// Each program of tests/emulator/faults is reported with its message, word for word; its right half is not.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "fault_program.hpp"

TEST_CASE("each faulty program is reported as its file says, and its right half runs") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/emulator/faults")) {
    const std::string path = entry.path().string(), name = entry.path().filename().string();
    CAPTURE(path);
    const auto program = fault_program::read(path);
    CHECK(program.expected.starts_with(name.substr(0, 5) + ": "));
    CHECK_EQ(fault_program::message_of(program.wrong, program.launch), program.expected);
    CHECK_EQ(fault_program::message_of(program.right, program.launch_of_right), "");
    ++count;
  }
  CHECK(count >= 40);
}
