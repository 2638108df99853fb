// Every 32-bit and 64-bit atomic, in global and in shared memory, with results used and unused.
extern "C" __global__ void atomics(const unsigned* x, unsigned* words, unsigned long long* longs, unsigned* old, unsigned n) {
  __shared__ unsigned own[4];
  __shared__ unsigned long long own_long;
  if (threadIdx.x < 4) own[threadIdx.x] = threadIdx.x == 2 ? ~0u : 0;
  if (threadIdx.x == 0) own_long = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned v = x[i];
    old[i] = atomicAdd(&words[0], 1u);
    atomicSub(&words[1], v), atomicMin(&words[2], v), atomicMax(&words[3], v);
    atomicMin((int*)&words[4], (int)v), atomicMax((int*)&words[5], (int)v);
    atomicAnd(&words[6], v | 0xff), atomicOr(&words[7], v & 0xff00), atomicXor(&words[8], v);
    atomicInc(&words[9], 12u), atomicDec(&words[10], 12u);
    old[n + i] = atomicExch(&words[11], i);
    const unsigned long long w = (unsigned long long)v << 20 | i;
    atomicAdd(&longs[0], w), atomicMin(&longs[1], w), atomicMax(&longs[2], w);
    atomicMin((long long*)&longs[3], (long long)(w << 30)), atomicMax((long long*)&longs[4], (long long)(w << 30));
    atomicAnd(&longs[5], w | 0xfffff), atomicOr(&longs[6], w), atomicXor(&longs[7], w);
    old[2 * n + i] = (unsigned)atomicExch(&longs[8], (unsigned long long)i);
    atomicAdd(&own[0], v), atomicMax(&own[1], v), atomicAnd(&own[2], v | 1), atomicInc(&own[3], 4u);
    atomicAdd(&own_long, w);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&words[12], own[0]), atomicMax(&words[13], own[1]), atomicAnd(&words[14], own[2]);
    atomicAdd(&words[15], own[3]), atomicAdd(&longs[9], own_long);
  }
}
