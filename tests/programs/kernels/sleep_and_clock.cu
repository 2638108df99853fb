// Clocks that only rise, the timer, sleep, and who runs where.
extern "C" __global__ void sleep_and_clock(long long* ticks, unsigned* places) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long start = clock64();
  const unsigned low = clock();
  unsigned long long timer, later;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
  __nanosleep(100 * (threadIdx.x % 3));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
  ticks[3 * i] = clock64() - start, ticks[3 * i + 1] = (long long)(later - timer), ticks[3 * i + 2] = (int)(clock() - low);
  unsigned lane, warp, warps, multiprocessor, multiprocessors;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  places[3 * i] = lane, places[3 * i + 1] = warp < warps, places[3 * i + 2] = multiprocessor < multiprocessors;
}
