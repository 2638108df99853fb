// bilateral, median and resize of kernels/bilateral.hpp, kernels/median.hpp and kernels/resize.hpp.
#include <cuda_fp16.h>

template <class T> __device__ __forceinline__ T rounded(float x);
template <> __device__ __forceinline__ float rounded(float x) { return x; }
template <> __device__ __forceinline__ unsigned char rounded(float x) {
  return static_cast<unsigned char>(__float2uint_rn(fminf(fmaxf(x, 0.0f), 255.0f)));
}
__device__ __forceinline__ int clamped(int x, int last) { return min(max(x, 0), last); }

template <class T, int Radius>
__device__ __forceinline__ void bilateral(const T* __restrict__ picture, unsigned ldp, T* __restrict__ filtered, unsigned ldf,
                                          int width, int height, float sigma_space, float sigma_range) {
  constexpr int rows = 16 + 2 * Radius, columns = 32 + 2 * Radius;
  __shared__ float tile[rows][columns];
  const int lane = threadIdx.x, first = threadIdx.y, top = blockIdx.y * 16, left = blockIdx.x * 32;
  for (int line = first; line < rows; line += 8) {
    const T* row = picture + static_cast<size_t>(clamped(top + line - Radius, height - 1)) * ldp;
    tile[line][lane] = static_cast<float>(row[clamped(left + lane - Radius, width - 1)]);
    if (lane < 2 * Radius) tile[line][lane + 32] = static_cast<float>(row[clamped(left + lane + 32 - Radius, width - 1)]);
  }
  __syncthreads();
  const float of_space = -0.5f * 1.44269504f / (sigma_space * sigma_space),
              of_range = -0.5f * 1.44269504f / (sigma_range * sigma_range);
#pragma unroll
  for (int own = 0; own < 2; ++own) {
    const int line = first + own * 8;
    const float center = tile[line + Radius][lane + Radius];
    float total = 1, sum = 0;
#pragma unroll
    for (int i = 0; i <= 2 * Radius; ++i)
#pragma unroll
      for (int k = 0; k <= 2 * Radius; ++k) {
        const int squares = (i - Radius) * (i - Radius) + (k - Radius) * (k - Radius);
        if (squares == 0 || squares > Radius * Radius) continue;
        const float d = tile[line + i][lane + k] - center;
        float weight;
        asm("ex2.approx.f32 %0, %1;" : "=f"(weight) : "f"(fmaf(d * d, of_range, of_space * static_cast<float>(squares))));
        total += weight;
        sum = fmaf(weight, d, sum);
      }
    const float mean = center + sum / total;
    if (top + line < height && left + lane < width)
      filtered[static_cast<size_t>(top + line) * ldf + left + lane] = rounded<T>(mean);
  }
}
extern "C" __global__ void __launch_bounds__(256)
    bilateral_of_bytes(const unsigned char* __restrict__ picture, unsigned ldp, unsigned char* __restrict__ filtered,
                       unsigned ldf, int width, int height, float sigma_space, float sigma_range) {
  bilateral<unsigned char, 3>(picture, ldp, filtered, ldf, width, height, sigma_space, sigma_range);
}
extern "C" __global__ void __launch_bounds__(256)
    bilateral_of_floats(const float* __restrict__ picture, unsigned ldp, float* __restrict__ filtered, unsigned ldf, int width,
                        int height, float sigma_space, float sigma_range) {
  bilateral<float, 2>(picture, ldp, filtered, ldf, width, height, sigma_space, sigma_range);
}

__device__ __forceinline__ float smaller(float a, float b) { return fminf(a, b); }
__device__ __forceinline__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ __forceinline__ __half2 smaller(__half2 a, __half2 b) { return __hmin2(a, b); }
__device__ __forceinline__ __half2 larger(__half2 a, __half2 b) { return __hmax2(a, b); }
template <class T> __device__ __forceinline__ void exchange(T& low, T& high) {
  const T a = low;
  low = smaller(a, high);
  high = larger(a, high);
}
// Moves the smallest of Count numbers to the first of them, the largest one to the last.
template <int Count, class T> __device__ __forceinline__ void part_extremes(T* r) {
  constexpr int half = Count / 2, last = Count - 1;
#pragma unroll
  for (int i = 0; i < half; ++i) exchange(r[i], r[last - i]);
  if (Count % 2 != 0) exchange(r[0], r[half]), exchange(r[half], r[last]);
#pragma unroll
  for (int i = 1; i < half; ++i) exchange(r[0], r[i]), exchange(r[last - i], r[last]);
}
// Removes both ends of Count numbers, then takes the next one of the rest in place of the last, until there are no more of
// them. Returns where those begin that are left.
template <int Count, int More, class T> __device__ __forceinline__ T* select_middle(T* r, const T* more) {
  part_extremes<Count>(r);
  if constexpr (More == 0) return r + 1;
  else {
    r[Count - 1] = *more;
    return select_middle<Count - 1, More - 1>(r + 1, more + 1);
  }
}

__device__ __forceinline__ float as_number(float x) { return x; }
__device__ __forceinline__ __half2 as_number(unsigned x) { return *reinterpret_cast<__half2*>(&x); }
__device__ __forceinline__ unsigned as_bits(__half2 x) { return *reinterpret_cast<unsigned*>(&x); }

// A thread has two pixels, one above the other; of bytes each is two, 32 columns apart.
template <class T, class Word, class Number, int Size>
__device__ __forceinline__ void median(const T* __restrict__ picture, unsigned ldp, T* __restrict__ filtered, unsigned ldf,
                                       int width, int height) {
  constexpr bool is_packed = sizeof(T) == 1;
  constexpr int rows = 16 + Size - 1, columns = 32 + Size - 1, shared_count = Size * (Size - 1), kept = Size * Size / 2 + 2;
  __shared__ Word tile[rows][columns];
  const int lane = threadIdx.x, first = threadIdx.y, top = blockIdx.y * 16, left = blockIdx.x * (is_packed ? 64 : 32);
  for (int line = first; line < rows; line += 8) {
    const T* row = picture + static_cast<size_t>(clamped(top + line - Size / 2, height - 1)) * ldp;
    const auto fill = [&](int column) {
      const int at = left + column - Size / 2;
      if constexpr (is_packed)
        tile[line][column] = row[clamped(at, width - 1)] | static_cast<unsigned>(row[clamped(at + 32, width - 1)]) << 16;
      else tile[line][column] = row[clamped(at, width - 1)];
    };
    fill(lane);
    if (lane < Size - 1) fill(lane + 32);
  }
  __syncthreads();
  Number both[shared_count];
#pragma unroll
  for (int i = 0; i < shared_count; ++i) both[i] = as_number(tile[first * 2 + 1 + i / Size][lane + i % Size]);
  const Number* middle = select_middle<kept, shared_count - kept>(both, both + kept);
#pragma unroll
  for (int own = 0; own < 2; ++own) {
    Number r[Size + 2], more[Size];
#pragma unroll
    for (int i = 0; i <= Size; ++i) r[i] = middle[i];
#pragma unroll
    for (int k = 0; k < Size; ++k) more[k] = as_number(tile[first * 2 + own * Size][lane + k]);
    r[Size + 1] = more[0];
    const Number found = *select_middle<Size + 2, Size - 1>(r, more + 1);
    const int row = top + first * 2 + own, column = left + lane;
    T* to = filtered + static_cast<size_t>(row) * ldf + column;
    if constexpr (is_packed) {
      const unsigned bits = as_bits(found);
      if (row < height && column < width) to[0] = static_cast<T>(bits);
      if (row < height && column + 32 < width) to[32] = static_cast<T>(bits >> 16);
    } else if (row < height && column < width) {
      *to = found;
    }
  }
}
extern "C" __global__ void __launch_bounds__(256)
    median_of_bytes(const unsigned char* __restrict__ picture, unsigned ldp, unsigned char* __restrict__ filtered, unsigned ldf,
                    int width, int height) {
  median<unsigned char, unsigned, __half2, 3>(picture, ldp, filtered, ldf, width, height);
}
extern "C" __global__ void __launch_bounds__(256)
    median_of_floats(const float* __restrict__ picture, unsigned ldp, float* __restrict__ filtered, unsigned ldf, int width,
                     int height) {
  median<float, float, float, 5>(picture, ldp, filtered, ldf, width, height);
}

// Where a pixel of the result lies along one axis.
template <int Taps> struct place {
  int first;
  float weights[Taps];

  __device__ __forceinline__ place(int x, int size, int outputs) {
    const unsigned count = outputs, at = (static_cast<unsigned>(x) * 2 + 1) * static_cast<unsigned>(size) + count;
    const unsigned whole = at / (count * 2);
    const float t = static_cast<float>(at - whole * count * 2) / static_cast<float>(count * 2), u = 1 - t;
    first = static_cast<int>(whole) - Taps / 2;
    if constexpr (Taps == 2) {
      weights[0] = u, weights[1] = t;
    } else {
      constexpr float a = -0.75f;
      const auto near = [](float s) { return fmaf(fmaf(s, a + 2, -(a + 3)) * s, s, 1.0f); };
      weights[0] = t * u * u * a, weights[1] = near(t), weights[2] = near(u), weights[3] = u * t * t * a;
    }
  }
};
template <class T, int Taps>
__device__ __forceinline__ void resize(const T* __restrict__ picture, unsigned ldp, T* __restrict__ resized, unsigned ldr,
                                       int width, int height, int out_width, int out_height) {
  const int x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32 + threadIdx.y;
  if (x >= out_width) return;
  const place<Taps> across(x, width, out_width);
  int columns[Taps];
#pragma unroll
  for (int k = 0; k < Taps; ++k) columns[k] = clamped(across.first + k, width - 1);
#pragma unroll
  for (int own = 0; own < 4; ++own) {
    const int y = first + own * 8;
    if (y >= out_height) continue;
    const place<Taps> down(y, height, out_height);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Taps; ++i) {
      const T* row = picture + static_cast<size_t>(clamped(down.first + i, height - 1)) * ldp;
      float line = 0;
#pragma unroll
      for (int k = 0; k < Taps; ++k) line = fmaf(static_cast<float>(row[columns[k]]), across.weights[k], line);
      sum = fmaf(line, down.weights[i], sum);
    }
    resized[static_cast<size_t>(y) * ldr + x] = rounded<T>(sum);
  }
}
extern "C" __global__ void __launch_bounds__(256)
    resize_bilinear(const float* __restrict__ picture, unsigned ldp, float* __restrict__ resized, unsigned ldr, int width,
                    int height, int out_width, int out_height) {
  resize<float, 2>(picture, ldp, resized, ldr, width, height, out_width, out_height);
}
extern "C" __global__ void __launch_bounds__(256)
    resize_bicubic(const unsigned char* __restrict__ picture, unsigned ldp, unsigned char* __restrict__ resized, unsigned ldr,
                   int width, int height, int out_width, int out_height) {
  resize<unsigned char, 4>(picture, ldp, resized, ldr, width, height, out_width, out_height);
}
