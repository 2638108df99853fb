// A lock held by one thread of each warp in turn, in global memory for all blocks and in shared memory for one.
__device__ void acquire(unsigned* lock) {
  while (atomicCAS(lock, 0u, 1u) != 0) __nanosleep(20);
  __threadfence();
}
__device__ void release(unsigned* lock) {
  __threadfence();
  atomicExch(lock, 0u);
}

extern "C" __global__ void spin_lock(unsigned* lock, unsigned* counter, unsigned* block_counters, unsigned* trace) {
  __shared__ unsigned own_lock, own_counter;
  if (threadIdx.x == 0) own_lock = own_counter = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    acquire(lock);
    const unsigned place = *counter;
    trace[place] = blockIdx.x * 32 + threadIdx.x / 32;
    *counter = place + 1;
    release(lock);
  }
  __syncwarp();
  bool done = false;
  while (!done) {  // every lane of a warp wants it: the one that holds it must get out of the loop
    if (atomicCAS(&own_lock, 0u, 1u) == 0) {
      __threadfence_block();
      own_counter = own_counter * 2 + 1 == 0 ? 0 : own_counter + 1;
      __threadfence_block();
      atomicExch(&own_lock, 0u);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) block_counters[blockIdx.x] = own_counter;
}
