// D = C + A x B through nvcuda::wmma, whose fragments are nobody's business, for all its types; A by rows, B by columns.
// nvcc: -arch=sm_90
#include <mma.h>

using namespace nvcuda;
using namespace nvcuda::wmma;

template <class T, class Sum, int M, int N, int K>
struct product {
  fragment<matrix_a, M, N, K, T, row_major> a;
  fragment<matrix_b, M, N, K, T, col_major> b;
  fragment<accumulator, M, N, K, Sum> sums;

  template <class In>
  __device__ product(const In* pa, const In* pb, const Sum* c) {
    load_matrix_sync(a, pa, K);
    load_matrix_sync(b, pb, K);
    load_matrix_sync(sums, c, N, mem_row_major);
  }
  __device__ void multiply(Sum* d) {
    mma_sync(sums, a, b, sums);
    store_matrix_sync(d, sums, N, mem_row_major);
  }
  __device__ void count(Sum* d, experimental::bmmaBitOp operation) {
    bmma_sync(sums, a, b, sums, operation, experimental::bmmaAccumulateOpPOPC);
    store_matrix_sync(d, sums, N, mem_row_major);
  }
};

extern "C" __global__ void wmma_f16_f32(const __half* a, const __half* b, const float* c, float* d) {
  product<__half, float, 16, 16, 16>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_f16_f16(const __half* a, const __half* b, const __half* c, __half* d) {
  product<__half, __half, 16, 16, 16>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d) {
  product<__nv_bfloat16, float, 16, 16, 16>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_tf32(const float* a, const float* b, const float* c, float* d) {
  product<precision::tf32, float, 16, 16, 8>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_s8(const signed char* a, const signed char* b, const int* c, int* d) {
  product<signed char, int, 16, 16, 16>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_u8(const unsigned char* a, const unsigned char* b, const int* c, int* d) {
  product<unsigned char, int, 16, 16, 16>(a, b, c).multiply(d);
}
extern "C" __global__ void wmma_s4(const void* a, const void* b, const int* c, int* d) {
  product<experimental::precision::s4, int, 8, 8, 32>((const unsigned*)a, (const unsigned*)b, c).multiply(d);
}
extern "C" __global__ void wmma_u4(const void* a, const void* b, const int* c, int* d) {
  product<experimental::precision::u4, int, 8, 8, 32>((const unsigned*)a, (const unsigned*)b, c).multiply(d);
}
extern "C" __global__ void wmma_and(const void* a, const void* b, const int* c, int* d) {
  product<experimental::precision::b1, int, 8, 8, 128>((const unsigned*)a, (const unsigned*)b, c)
      .count(d, experimental::bmmaBitOpAND);
}
extern "C" __global__ void wmma_xor(const void* a, const void* b, const int* c, int* d) {
  product<experimental::precision::b1, int, 8, 8, 128>((const unsigned*)a, (const unsigned*)b, c)
      .count(d, experimental::bmmaBitOpXOR);
}
extern "C" __global__ void wmma_f64(const double* a, const double* b, const double* c, double* d) {
  product<double, double, 8, 8, 4>(a, b, c).multiply(d);
}
