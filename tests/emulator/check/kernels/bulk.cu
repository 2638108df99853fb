// Bulk copies and warp-group products whose memory is touched too early, and the async proxy that misses a fence. A kernel
// whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

__device__ unsigned address_of(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void fence_proxy() { asm volatile("fence.proxy.async;" ::: "memory"); }

struct barrier {
  unsigned long long bits;
  __device__ void init() {
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_of(this)) : "memory");
    __syncthreads();
  }
  __device__ void load(void* to, const void* from, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_of(this)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     address_of(to)),
                 "l"(from), "r"(bytes), "r"(address_of(this))
                 : "memory");
  }
  __device__ void wait(unsigned parity) {
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(
                     address_of(this)),
                 "r"(parity)
                 : "memory");
  }
};

__device__ void store(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address_of(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ void wait_until_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void wait_until_done() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

// D = A * B for 64 x 8 x 16 halves, both in shared memory without swizzle.
__device__ void begin_product(float (&d)[4], const void* a, const void* b) {
  const unsigned long long layout = 8ull << 16 | 16ull << 32;
  const unsigned long long of_a = layout | address_of(a) >> 4, of_b = layout | address_of(b) >> 4;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(of_a), "l"(of_b)
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void end_product() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

extern "C" {

__global__ void early_read(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  __shared__ barrier full;
  full.init();
  if (threadIdx.x == 0) full.load(t, in, 512);
  out[threadIdx.x] = t[127 - threadIdx.x];  // no wait
}
__global__ void early_read_right(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  __shared__ barrier full;
  full.init();
  if (threadIdx.x == 0) full.load(t, in, 512);
  full.wait(0);
  out[threadIdx.x] = t[127 - threadIdx.x];
}

__global__ void other_stage(const int* in, int* out) {
  __shared__ alignas(128) int t[2][64];
  __shared__ barrier full[2];
  full[0].init();
  full[1].init();
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; ++k) full[k].load(t[k], in + 64 * k, 256);
  full[1].wait(0);
  out[threadIdx.x] = t[0][threadIdx.x % 64];  // waited for the other stage
}
__global__ void other_stage_right(const int* in, int* out) {
  __shared__ alignas(128) int t[2][64];
  __shared__ barrier full[2];
  full[0].init();
  full[1].init();
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; ++k) full[k].load(t[k], in + 64 * k, 256);
  full[1].wait(0);
  full[0].wait(0);
  out[threadIdx.x] = t[threadIdx.x / 64][threadIdx.x % 64];
}

__global__ void same_parity(const int* in, int* out) {
  __shared__ alignas(128) int t[64];
  __shared__ barrier full;
  full.init();
  for (int k = 0; k < 2; ++k) {
    if (threadIdx.x == 0) full.load(t, in + 64 * k, 256);
    full.wait(0);  // of the first round in the second too
    out[64 * k + threadIdx.x % 64] = t[63 - threadIdx.x % 64];
    __syncthreads();
  }
}
__global__ void same_parity_right(const int* in, int* out) {
  __shared__ alignas(128) int t[64];
  __shared__ barrier full;
  full.init();
  for (int k = 0; k < 2; ++k) {
    if (threadIdx.x == 0) full.load(t, in + 64 * k, 256);
    full.wait(k);
    out[64 * k + threadIdx.x % 64] = t[63 - threadIdx.x % 64];
    __syncthreads();
  }
}

__global__ void reload(const int* in, int* out) {
  __shared__ alignas(128) int t[64];
  __shared__ barrier full;
  full.init();
  for (int k = 0; k < 2; ++k) {
    if (threadIdx.x == 0) full.load(t, in + 64 * k, 256);
    full.wait(k);
    out[64 * k + threadIdx.x % 64] = t[63 - threadIdx.x % 64];  // others may read when the next load begins
  }
}

__global__ void source_changed(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  fence_proxy();
  __syncthreads();
  if (threadIdx.x == 0) store(out, t, 512);
  __syncthreads();
  t[threadIdx.x] = -1;  // no wait
  if (threadIdx.x == 0) wait_until_done();
}
__global__ void source_changed_right(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  fence_proxy();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, t, 512);
    wait_until_read();
  }
  __syncthreads();
  t[threadIdx.x] = -1;
  if (threadIdx.x == 0) wait_until_done();
}

__global__ void unfenced(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, t, 512);  // the async proxy may not see t
    wait_until_done();
  }
}
__global__ void fenced_by_reader_right(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    fence_proxy();
    store(out, t, 512);
    wait_until_done();
  }
}
__global__ void fenced_too_early(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  fence_proxy();
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, t, 512);  // the fence was before the write
    wait_until_done();
  }
}

__global__ void result_read(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  fence_proxy();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, t, 512);
    wait_until_read();
    out[128] = out[5];  // only the source is free
    wait_until_done();
  }
}
__global__ void result_read_right(const int* in, int* out) {
  __shared__ alignas(128) int t[128];
  t[threadIdx.x] = in[threadIdx.x];
  fence_proxy();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, t, 512);
    wait_until_done();
    out[128] = out[5];
  }
}

__global__ void product_unfenced(const int* in, int* out) {
  __shared__ alignas(128) unsigned a[512], b[64];
  float d[4] = {};
  for (int k = threadIdx.x; k < 512; k += 128) a[k] = 0;
  for (int k = threadIdx.x; k < 64; k += 128) b[k] = 0;
  __syncthreads();
  begin_product(d, a, b);
  end_product();
  out[threadIdx.x] = d[0];
}
__global__ void product_unordered(const int* in, int* out) {
  __shared__ alignas(128) unsigned a[512], b[64];
  float d[4] = {};
  for (int k = threadIdx.x; k < 512; k += 128) a[k] = k;
  for (int k = threadIdx.x; k < 64; k += 128) b[k] = 0;
  fence_proxy();
  begin_product(d, a, b);  // other warps may still write a
  end_product();
  out[threadIdx.x] = d[0];
}
__global__ void product_changed(const int* in, int* out) {
  __shared__ alignas(128) unsigned a[512], b[64];
  float d[4] = {};
  for (int k = threadIdx.x; k < 512; k += 128) a[k] = 0;
  for (int k = threadIdx.x; k < 64; k += 128) b[k] = 0;
  fence_proxy();
  __syncthreads();
  begin_product(d, a, b);
  a[threadIdx.x] = 1 + threadIdx.x;  // no wait
  end_product();
  out[threadIdx.x] = d[0];
}
__global__ void product_right(const int* in, int* out) {
  __shared__ alignas(128) unsigned a[512], b[64];
  float d[4] = {};
  for (int k = threadIdx.x; k < 512; k += 128) a[k] = 0;
  for (int k = threadIdx.x; k < 64; k += 128) b[k] = 0;
  fence_proxy();
  __syncthreads();
  begin_product(d, a, b);
  end_product();
  __syncthreads();
  a[threadIdx.x] = 1 + threadIdx.x;
  out[threadIdx.x] = d[0] + a[threadIdx.x];
}
}
