#include <tg/emulator/driver_table/handle_table.hpp>

#include <doctest/doctest.h>

TEST_CASE("a handle finds its object while that is there, and is never given again") {
  tg::emulator::entry::handle_table table;
  const auto one = table.add(std::make_shared<int>(1));
  const auto two = table.add(std::make_shared<double>(2));
  CHECK(one != two);
  CHECK(*std::static_pointer_cast<int>(table.find(one)) == 1);
  CHECK(*std::static_pointer_cast<double>(table.find(two)) == 2);
  table.erase(one);
  CHECK(table.find(one) == nullptr);
  CHECK_FALSE(table.contains(one));
  CHECK(table.contains(two));
  CHECK(table.add(std::make_shared<int>(3)) != one);
}
