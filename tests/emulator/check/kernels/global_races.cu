// Races in global memory, and what orders them. A kernel whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

extern "C" {

__global__ void mixed(int* p, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) p[0] = 7;  // a plain store beside an atomic
  if (threadIdx.x == 1) atomicAdd(&p[0], 1);
}
__global__ void mixed_right(int* p, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicExch(&p[0], 7);
  if (threadIdx.x == 1) atomicAdd(&p[0], 1);
}

__global__ void checked(int* p, int* out) {
  const int v = blockIdx.x * 7 % 5;
  if (threadIdx.x == 0)
    if (p[0] < v) atomicMax(&p[0], v);  // a plain read beside an atomic
}
__global__ void checked_right(int* p, int* out) {
  const int v = blockIdx.x * 7 % 5;
  if (threadIdx.x == 0)
    if (*(volatile int*)p < v) atomicMax(&p[0], v);
}

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {}
}
__device__ void unlock(int* l) { atomicExch(l, 0); }

__global__ void outside_lock(int* p, int* out) {
  if (threadIdx.x != 0) return;
  lock(p);
  __threadfence();
  out[0] += 1;
  __threadfence();
  unlock(p);
  out[1] = blockIdx.x;  // outside the lock
}
__global__ void outside_lock_right(int* p, int* out) {
  if (threadIdx.x != 0) return;
  lock(p);
  __threadfence();
  out[0] += 1;
  out[1] = blockIdx.x;
  __threadfence();
  unlock(p);
}

__global__ void entry_fence(int* p, int* out) {
  if (threadIdx.x != 0) return;
  lock(p);  // no fence
  out[0] += 1;
  __threadfence();
  unlock(p);
}
__global__ void exit_fence(int* p, int* out) {
  if (threadIdx.x != 0) return;
  lock(p);
  __threadfence();
  out[0] += 1;
  unlock(p);  // no fence
}
__global__ void lock_right(int* p, int* out) {
  if (threadIdx.x != 0) return;
  lock(p);
  __threadfence();
  out[0] += 1;
  __threadfence();
  unlock(p);
}

__global__ void flag(int* p, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    p[1] = 42;
    __threadfence();
    *(volatile int*)p = 1;
  } else if (blockIdx.x == 1) {
    while (*(volatile int*)p == 0) {}
    out[0] = p[1];  // no fence between flag and data
  }
}
__global__ void flag_right(int* p, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    p[1] = 42;
    __threadfence();
    *(volatile int*)p = 1;
  } else if (blockIdx.x == 1) {
    while (*(volatile int*)p == 0) {}
    __threadfence();
    out[0] = p[1];
  }
}
__global__ void flag_acquire_right(int* p, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    p[1] = 42;
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(p) : "memory");
  } else if (blockIdx.x == 1) {
    int v;
    do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    while (v == 0);
    out[0] = p[1];
  }
}
__global__ void block_scope(int* p, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    p[1] = 42;
    asm volatile("st.release.cta.global.s32 [%0], 1;" ::"l"(p) : "memory");  // the reader is in another block
  } else if (blockIdx.x == 1) {
    int v;
    do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    while (v == 0);
    out[0] = p[1];
  }
}
__global__ void block_atomics(int* p, int* out) { atomicAdd_block(&p[0], 1); }
__global__ void block_atomics_right(int* p, int* out) { atomicAdd_block(&p[blockIdx.x], 1); }

__global__ void ticket(int* p, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    p[1 + blockIdx.x] = blockIdx.x + 1;
    is_last = atomicAdd(&p[0], 1) == gridDim.x - 1;  // no fence before
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[threadIdx.x] = p[1 + threadIdx.x];
}
__global__ void ticket_right(int* p, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    p[1 + blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    is_last = atomicAdd(&p[0], 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[threadIdx.x] = p[1 + threadIdx.x];
}

__global__ void neighbours(int* p, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = i;
  __syncthreads();
  out[i] = p[(i + blockDim.x) % (gridDim.x * blockDim.x)];  // another block's; the barrier is this block's
}
__global__ void neighbours_right(int* p, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = i;
  __syncthreads();
  out[i] = p[blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x];
}

// Chained scan: each block waits for the sum of the one before it.
__global__ void chain(int* p, int* out) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  if (blockIdx.x > 0) {
    while (((volatile int*)p)[2 * blockIdx.x - 2] == 0) {}
    sum = p[2 * blockIdx.x - 1];
  }
  p[2 * blockIdx.x + 1] = sum + blockIdx.x;
  ((volatile int*)p)[2 * blockIdx.x] = 1;
}
__global__ void chain_right(int* p, int* out) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  if (blockIdx.x > 0) {
    while (((volatile int*)p)[2 * blockIdx.x - 2] == 0) {}
    __threadfence();
    sum = p[2 * blockIdx.x - 1];
  }
  p[2 * blockIdx.x + 1] = sum + blockIdx.x;
  __threadfence();
  ((volatile int*)p)[2 * blockIdx.x] = 1;
}

// A barrier of the whole grid, used twice.
__device__ void grid_barrier(int* p, int round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(p, 1);
    while (*(volatile int*)p < round * (int)gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
}
__global__ void grid_right(int* p, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  p[16 + i] = i;
  grid_barrier(p, 1);
  out[i] = p[16 + n - 1 - i];
  grid_barrier(p, 2);
  p[16 + i] = out[n - 1 - i];
}

__global__ void reset(int* p, int* out) {
  if (threadIdx.x == 0 && atomicAdd(&p[0], 1) == 0) p[0] = 0;  // the first: others still count
}
__global__ void reset_right(int* p, int* out) {
  if (threadIdx.x == 0 && atomicAdd(&p[0], 1) == gridDim.x - 1) p[0] = 0;  // the last, which has observed the others
}
__global__ void reset_lanes_right(int* p, int* out) {
  if (atomicAdd(&p[0], 1) == gridDim.x * blockDim.x - 1) p[0] = 0;
}
}
