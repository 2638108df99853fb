// Every index of threads and blocks in three dimensions, with a block that is not a multiple of a warp.
extern "C" __global__ void many_dimensions(unsigned* out) {
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z, i = block * threads + thread;
  __shared__ unsigned last;
  if (thread == threads - 1) last = i;
  __syncthreads();
  out[2 * i] = threadIdx.x | threadIdx.y << 4 | threadIdx.z << 8 | blockIdx.x << 12 | blockIdx.y << 16 | blockIdx.z << 20;
  out[2 * i + 1] = last;
}
