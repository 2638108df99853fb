// Memory lent to and from other libraries by DLPack
//
// A tensor of another library, here a vector of C++, is worked on where it lies; and an array of tg is read by the other
// library. NumPy, PyTorch, JAX and CuPy hand out and take the same struct. On a GPU its memory is the GPU's.
#include <cstdio>
#include <numeric>
#include <vector>

#include <tg/array.hpp>
#include <tg/array/dlpack.hpp>

struct library_tensor {
  std::vector<float> numbers;
  std::int64_t shape[2];
  DLManagedTensor tensor;
};

DLManagedTensor* lend(library_tensor& t) {
  t.tensor = {{t.numbers.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, t.shape, nullptr, 0}, nullptr, nullptr};
  return &t.tensor;
}

int main() {
  tg::device gpu("emulator");
  library_tensor theirs{std::vector<float>(6 * 10), {6, 10}, {}};
  std::iota(theirs.numbers.begin(), theirs.numbers.end(), 0.0f);

  auto x = tg::from_dlpack<float, 2>(gpu, lend(theirs));
  x = x - tg::mean<1>(x, tg::keep);  // in their memory
  tg::array<float, 1> peaks = tg::max<1>(x);

  DLManagedTensor* const given = tg::to_dlpack(peaks);  // theirs now, as long as they want
  const auto* read = static_cast<const float*>(given->dl_tensor.data);
  std::printf("their last number is %g, our peaks are %g to %g\n", static_cast<double>(theirs.numbers.back()),
              static_cast<double>(read[0]), static_cast<double>(read[5]));
  const bool is_right = theirs.numbers.back() == 4.5f && read[0] == 4.5f && read[5] == 4.5f;
  given->deleter(given);
  return is_right ? 0 : 1;
}
