// What a Python module in C++ exports, without Python's headers: arrays to and from NumPy by DLPack, and files.
#include <string>

#include <tg/array.hpp>
#include <tg/array/dlpack.hpp>
#include <tg/array/npy.hpp>

namespace {

tg::device gpu("emulator");
std::string failure;

template <class F> DLManagedTensor* guarded(F f) {
  failure.clear();
  try {
    return f();
  } catch (const tg::error& e) {
    failure = e.what();
    return nullptr;
  }
}

}  // namespace

extern "C" {

const char* last_failure() { return failure.c_str(); }

/// x * 2 + column numbers, in memory of its own.
DLManagedTensor* doubled(DLManagedTensor* tensor) {
  return guarded([&] {
    const auto x = tg::from_dlpack<const float, 2>(gpu, tensor);
    tg::array<float, 2> y = x * 2.0f + tg::cast<float>(tg::index_of<1>(x));
    return tg::to_dlpack(y);
  });
}

/// Adds 1 where it lies.
int add_one(DLManagedTensor* tensor) {
  guarded([&]() -> DLManagedTensor* {
    auto x = tg::from_dlpack<float, 2>(gpu, tensor);
    x = x + 1.0f;
    return nullptr;
  });
  return failure.empty() ? 0 : 1;
}

/// Reads a file of NumPy, and writes the squares to another.
int square_file(const char* from, const char* to) {
  guarded([&]() -> DLManagedTensor* {
    const auto x = tg::load_npy<double, 3>(gpu, from);
    tg::save_npy(to, tg::eval(x * x));
    return nullptr;
  });
  return failure.empty() ? 0 : 1;
}
}
