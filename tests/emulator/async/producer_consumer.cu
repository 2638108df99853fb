// One warp group fetches boxes of a matrix through a tensor map, two others add up their columns.
// nvcc -arch=sm_90a -O3 -ptx producer_consumer.cu
#include <cstdint>
#include <cuda.h>

constexpr int stages = 3, wide = 32, high = 16;

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint64_t* bar, uint32_t parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra again;\ndone:\n}" ::"r"(
          shared_address(bar)),
      "r"(parity)
      : "memory");
}

extern "C" __global__ void __launch_bounds__(384)
    producer_consumer(const __grid_constant__ CUtensorMap map, float* out, int rows, int width) {
  __shared__ alignas(1024) float tile[stages][high][wide];
  __shared__ alignas(8) uint64_t full[stages], empty[stages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(full + s)));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" ::"r"(shared_address(empty + s)));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int boxes = (rows + high - 1) / high;
  if (threadIdx.x >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x != 256) return;
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    for (int k = 0; k < boxes; ++k) {
      const int s = k % stages;
      if (k >= stages) wait(empty + s, (k / stages - 1) & 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full + s)),
                   "r"(static_cast<uint32_t>(sizeof tile[0]))
                   : "memory");
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
              shared_address(tile[s])),
          "l"(&map), "r"(static_cast<int>(blockIdx.x) * wide), "r"(k * high), "r"(shared_address(full + s))
          : "memory");
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int x = threadIdx.x % wide, part = threadIdx.x / wide;
    float sum = 0;
    for (int k = 0; k < boxes; ++k) {
      const int s = k % stages;
      wait(full + s, (k / stages) & 1);
      for (int y = part; y < high; y += 8) {
        // The map swizzles by 128 bytes.
        const int chunk = (x / 4) ^ (y % 8);
        sum += tile[s][y][chunk * 4 + x % 4];
      }
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(empty + s)) : "memory");
    }
    const int column = blockIdx.x * wide + x;
    if (column < width) atomicAdd(out + column, sum);
  }
}
