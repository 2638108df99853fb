#include <tg/array/cuda_array_interface.hpp>

#include <memory>

#include "arrays.hpp"

TEST_CASE("the fields of the dictionary, there and back") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {4, 6}, arrays::counted(24));
  const auto whole = tg::to_cuda_array_interface(x);
  CHECK(whole.shape == std::vector<std::int64_t>{4, 6});
  CHECK(whole.typestr == "<f4");
  CHECK(whole.data == x.native());
  CHECK(!whole.strides);
  CHECK(!whole.is_read_only);
  CHECK(whole.version == 3);
  CHECK(whole.stream == std::optional<std::uintptr_t>(1));
  const auto part = tg::to_cuda_array_interface(x(tg::range(1, 4, 2), tg::full_extent).transpose());
  CHECK(part.shape == std::vector<std::int64_t>{6, 2});
  CHECK(part.strides == std::vector<std::int64_t>{4, 48});
  auto back = tg::from_cuda_array_interface<float, 2>(gpu, part);
  back = back + 100.0f;
  CHECK(x.to_host()[6] == 106.0f);
  CHECK(x.to_host()[12] == 12.0f);
  CHECK(tg::to_cuda_array_interface(std::as_const(x)).is_read_only);
}

TEST_CASE("an owner is kept as long as a view") {
  tg::device gpu;
  tg::array<int, 1> x(gpu, std::vector<int>{1, 2, 3});
  auto owner = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = owner;
  {
    auto view = tg::from_cuda_array_interface<int, 1>(gpu, tg::to_cuda_array_interface(x), std::move(owner));
    const auto part = view(tg::range(1, 3));
    CHECK(part.to_host() == std::vector<int>{2, 3});
    CHECK(!watched.expired());
  }
  CHECK(watched.expired());
}

TEST_CASE("dictionaries that do not fit") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {4, 6});
  const auto good = tg::to_cuda_array_interface(x);
  const auto code_of = [&](auto change, auto load) {
    auto own = good;
    change(own);
    try {
      load(own);
    } catch (const tg::error& e) { return static_cast<int>(e.code()); }
    return 0;
  };
  const auto as_float = [&](const auto& own) { tg::from_cuda_array_interface<float, 2>(gpu, own); };
  CHECK(code_of([](auto&) {}, as_float) == 0);
  CHECK(code_of([](auto& i) { i.typestr = "<f8"; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.shape = {24}; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.strides = {24}; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.strides = {24, 3}; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.data += 2; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.shape = {-1, 6}; }, as_float) == 705);
  CHECK(code_of([](auto& i) { i.is_read_only = true; }, as_float) == 708);
  CHECK(code_of([](auto& i) { i.is_read_only = true; },
                [&](const auto& own) { tg::from_cuda_array_interface<const float, 2>(gpu, own); }) == 0);
}
