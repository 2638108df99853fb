#include <tg/runtime/module_cache.hpp>

#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <vector>

using tg::runtime::compiled_kernel;
using tg::runtime::kernel_number;
using tg::runtime::module_cache;

namespace {

compiled_kernel named(std::string name, std::string ptx = "") {
  compiled_kernel out;
  out.name = std::move(name);
  out.ptx = std::move(ptx);
  return out;
}

}  // namespace

TEST_CASE("a kernel type has one number") {
  CHECK(kernel_number<int>() == kernel_number<int>());
  CHECK(kernel_number<int>() != kernel_number<long>());
}

TEST_CASE("a kernel is made once and found by its number") {
  module_cache cache;
  int made = 0;
  const auto make = [&] { return named("k" + std::to_string(made++)); };
  CHECK(cache.find(0) == nullptr);
  std::set<const compiled_kernel*> all;
  for (const std::size_t number : {0, 1, 63, 64, 191, 192, 5000}) {
    const compiled_kernel& k = cache.find_or_make(number, make);
    CHECK(&cache.find_or_make(number, make) == &k);
    CHECK(cache.find(number) == &k);
    CHECK(all.insert(&k).second);
  }
  CHECK(made == 7);
  CHECK(cache.find(2) == nullptr);
  CHECK(cache.find(100000) == nullptr);
}

TEST_CASE("a kernel is found by its text") {
  module_cache cache;
  int made = 0;
  const auto make = [&](const std::string& text) -> const compiled_kernel& {
    return cache.find_or_make(text, [&] { return ++made, named("k", text); });
  };
  const compiled_kernel& a = make("a");
  CHECK(&make("a") == &a);
  CHECK(&make("b") != &a);
  CHECK(made == 2);
}

TEST_CASE("a kernel that cannot be made is tried again") {
  module_cache cache;
  const std::size_t number = 3;
  const std::string text = "text";
  CHECK_THROWS_AS(cache.find_or_make(number, []() -> compiled_kernel { throw 1; }), int);
  CHECK_THROWS_AS(cache.find_or_make(text, []() -> compiled_kernel { throw 1; }), int);
  CHECK(cache.find(number) == nullptr);
  CHECK(cache.find_or_make(number, [] { return named("x"); }).name == "x");
  CHECK(cache.find_or_make(text, [] { return named("y"); }).name == "y");
}

TEST_CASE("a kernel is replaced and what was there stays usable") {
  module_cache cache;
  const std::size_t number = 3;
  const compiled_kernel& first = cache.find_or_make(number, [] { return named("first"); });
  const compiled_kernel& second = cache.keep(named("second"));
  cache.replace(number, second);
  CHECK(cache.find(number) == &second);
  CHECK(&cache.find_or_make(number, [] { return named("third"); }) == &second);
  CHECK(first.name == "first");
  cache.replace(std::size_t{7}, first);
  CHECK(cache.find(7) == &first);
  CHECK(cache.clear().size() == 2);
}

TEST_CASE("clear hands back every module and forgets") {
  module_cache cache;
  cache.find_or_make(std::size_t{3}, [] { return named("x"); });
  cache.find_or_make(std::string("text"), [] { return named("y"); });
  CHECK(cache.clear().size() == 2);
  CHECK(cache.find(3) == nullptr);
}

TEST_CASE("different kernels are made at the same time") {
  module_cache cache;
  std::atomic<int> making = 0;
  const auto wait_for_both = [&] {  // ends only when the other one is being made too
    ++making;
    while (making < 2) std::this_thread::yield();
    return named("k");
  };
  std::thread other([&] { cache.find_or_make(std::size_t{1}, wait_for_both); });
  cache.find_or_make(std::size_t{2}, wait_for_both);
  other.join();
  CHECK(making == 2);
}

TEST_CASE("threads that ask at once get the same kernel, made once") {
  module_cache cache;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  std::vector<const compiled_kernel*> seen(4 * 100);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 100; ++i) {
        const compiled_kernel* k = cache.find(i);
        seen[t * 100 + i] = k ? k : &cache.find_or_make(i, [&] { return ++made, named("k"); });
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(made == 100);
  for (std::size_t i = 0; i < 400; ++i) CHECK(seen[i] == cache.find(i % 100));
}
