#include <tg/array/dlpack.hpp>

#include <memory>
#include <vector>

#include <tg/runtime/stream.hpp>

#include "arrays.hpp"

namespace {

/// A tensor of another library, in memory of the host.
struct foreign_tensor {
  std::shared_ptr<std::vector<float>> memory;
  std::vector<std::int64_t> shape, strides;
  DLManagedTensor tensor{};
  int* deleted;

  static DLManagedTensor* make(std::shared_ptr<std::vector<float>> memory, std::vector<std::int64_t> shape,
                               std::vector<std::int64_t> strides, int& deleted) {
    auto* own = new foreign_tensor{std::move(memory), std::move(shape), std::move(strides), {}, &deleted};
    own->tensor.dl_tensor = {own->memory->data(),
                             {kDLCPU, 0},
                             static_cast<int>(own->shape.size()),
                             {kDLFloat, 32, 1},
                             own->shape.data(),
                             own->strides.empty() ? nullptr : own->strides.data(),
                             0};
    own->tensor.manager_ctx = own;
    own->tensor.deleter = [](DLManagedTensor* t) {
      auto* gone = static_cast<foreign_tensor*>(t->manager_ctx);
      ++*gone->deleted;
      delete gone;
    };
    return &own->tensor;
  }
};

}  // namespace

TEST_CASE("an array that another library has, and gives back") {
  tg::device gpu("emulator");
  DLManagedTensor* given = nullptr;
  {
    tg::array<float, 2> x(gpu, {4, 6}, arrays::counted(24));
    given = tg::to_dlpack(x(tg::full_extent, tg::range(1, 4)));
    x = x * 2.0f;
  }
  const DLTensor& t = given->dl_tensor;
  CHECK(t.ndim == 2);
  CHECK(t.shape[0] == 4);
  CHECK(t.shape[1] == 3);
  CHECK(t.strides[0] == 6);
  CHECK(t.strides[1] == 1);
  CHECK(t.device.device_type == kDLCPU);  // an emulated device has memory of the host
  CHECK(t.dtype.code == kDLFloat);
  CHECK(t.dtype.bits == 32);
  CHECK(static_cast<const float*>(t.data)[6] == 14.0f);  // row 1, column 1, doubled; the array itself is gone
  auto back = tg::from_dlpack<float, 2>(gpu, given);
  back = back + 1.0f;
  CHECK(back.to_host() == std::vector<float>{3, 5, 7, 15, 17, 19, 27, 29, 31, 39, 41, 43});
}

TEST_CASE("memory of another library") {
  tg::device gpu("emulator");
  int deleted = 0;
  const auto memory = std::make_shared<std::vector<float>>(arrays::counted(24));
  {
    const auto x = tg::from_dlpack<float, 2>(gpu, foreign_tensor::make(memory, {4, 6}, {}, deleted));
    // A second tensor on the same memory: the elements backwards, and a part of it.
    auto turned = tg::from_dlpack<float, 2>(gpu, foreign_tensor::make(memory, {6, 4}, {1, 6}, deleted));
    turned = turned * 10.0f;
    CHECK((*memory)[7] == 70.0f);
    CHECK(x.to_host()[7] == 70.0f);
    const tg::array<float, 1> sums = tg::sum<1>(x);
    CHECK(sums.to_host()[0] == 150.0f);
    const auto row = x(2, tg::full_extent);
    CHECK(deleted == 0);
    CHECK(row.to_host()[1] == 130.0f);
  }
  CHECK(deleted == 2);
  CHECK(memory.use_count() == 1);
  // It is no memory of the device any more, and can be given again.
  const auto again = tg::from_dlpack<const float, 1>(gpu, foreign_tensor::make(memory, {24}, {}, deleted));
  CHECK(again.to_host()[1] == 10.0f);
}

TEST_CASE("work on a stream of the other library waits for assignments") {
  tg::device gpu("emulator");
  tg::stream stream(gpu);
  tg::array<float, 1> x(gpu, arrays::counted(8));
  x = x + 1.0f;
  DLManagedTensor* given = tg::to_dlpack(x, stream.native());
  CHECK(static_cast<const float*>(given->dl_tensor.data)[3] == 4.0f);
  given->deleter(given);
}

TEST_CASE("tensors that do not fit, which are given back") {
  tg::device gpu("emulator");
  int deleted = 0;
  const auto memory = std::make_shared<std::vector<float>>(arrays::counted(24));
  const auto refused = [&](auto change, auto take) {
    DLManagedTensor* own = foreign_tensor::make(memory, {4, 6}, {}, deleted);
    change(own->dl_tensor);
    const int before = deleted;
    int code = 0;
    try {
      take(own);
    } catch (const tg::error& e) { code = static_cast<int>(e.code()); }
    CHECK(deleted == before + 1);
    return code;
  };
  const auto as_float = [&](DLManagedTensor* t) { tg::from_dlpack<float, 2>(gpu, t); };
  CHECK(refused([](DLTensor&) {}, as_float) == 0);
  CHECK(refused([](DLTensor& t) { t.dtype.bits = 64; }, as_float) == 708);
  CHECK(refused([](DLTensor& t) { t.dtype.code = kDLInt; }, as_float) == 708);
  CHECK(refused([](DLTensor& t) { t.dtype.lanes = 4; }, as_float) == 708);
  CHECK(refused([](DLTensor& t) { t.device.device_type = kDLCUDA; }, as_float) == 708);
  CHECK(refused(
            [](DLTensor& t) {
              t.byte_offset = 2;
              t.shape[0] = 1;
            },
            as_float) == 708);
  CHECK(refused([](DLTensor& t) { t.shape[0] = -4; }, as_float) == 705);
  CHECK(refused([](DLTensor&) {}, [&](DLManagedTensor* t) { tg::from_dlpack<float, 1>(gpu, t); }) == 708);
  CHECK(refused([](DLTensor&) {}, [&](DLManagedTensor* t) { tg::from_dlpack<tg::bf16, 2>(gpu, t); }) == 708);
  DLManagedTensor* const given = tg::to_dlpack(tg::array<float, 2>(gpu, {2, 3}));  // of an array that nobody else has
  CHECK(tg::from_dlpack<float, 2>(gpu, given).size() == 6);
  CHECK_THROWS_AS((tg::from_dlpack<float, 2>(gpu, nullptr)), tg::error);
  CHECK(memory.use_count() == 1);
}

TEST_CASE("every type of elements has one of DLPack") {
  tg::device gpu("emulator");
  const auto check = [&]<class T>(T) {
    tg::array<T, 1> x(gpu, {4});
    DLManagedTensor* given = tg::to_dlpack(x);
    CHECK(given->dl_tensor.dtype.bits == 8 * sizeof(T));
    CHECK(tg::from_dlpack<T, 1>(gpu, given).size() == 4);
  };
  check(bool{});
  check(std::int8_t{});
  check(std::uint64_t{});
  check(double{});
  check(tg::f16{});
  check(tg::bf16{});
  check(tg::f8e4m3{});
  check(tg::f8e5m2{});
}
