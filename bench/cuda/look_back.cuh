// Decoupled look-back of kernels/look_back.hpp: scratch memory has two counters, and then a word for each part, or where a value
// has 64 bits three.
#pragma once

using word = unsigned long long;

__device__ __forceinline__ word load_state(const word* p) {
  word out;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(out) : "l"(p) : "memory");
  return out;
}
__device__ __forceinline__ word load_acquire(const word* p) {
  word out;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(out) : "l"(p) : "memory");
  return out;
}
__device__ __forceinline__ void store_state(word* p, word x) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}
__device__ __forceinline__ void store_release(word* p, word x) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}

__device__ __forceinline__ unsigned bits_of(float x) { return __float_as_uint(x); }
__device__ __forceinline__ unsigned bits_of(unsigned x) { return x; }
__device__ __forceinline__ float of_bits(unsigned bits, float) { return __uint_as_float(bits); }
__device__ __forceinline__ unsigned of_bits(unsigned bits, unsigned) { return bits; }

// Values of 32 bits, with their state in one word.
template <class T> struct narrow_states {
  word* words;

  __device__ __forceinline__ void publish(unsigned part, unsigned state, T x) const {
    store_state(&words[part], static_cast<word>(state) << 32 | bits_of(x));
  }
  __device__ __forceinline__ word load(unsigned part) const { return load_state(&words[part]); }
  __device__ __forceinline__ static unsigned state_of(word x) { return static_cast<unsigned>(x >> 32); }
  __device__ __forceinline__ T value_of(unsigned, word x) const { return of_bits(static_cast<unsigned>(x), T()); }
};
// Values of 64 bits: the states, what parts have alone, and everything up to their ends.
struct wide_states {
  word* words;

  __device__ __forceinline__ void publish(unsigned part, unsigned state, word x) const {
    store_state(&words[part + gridDim.x * state], x);
    store_release(&words[part], state);
  }
  __device__ __forceinline__ word load(unsigned part) const { return load_acquire(&words[part]); }
  __device__ __forceinline__ static unsigned state_of(word x) { return static_cast<unsigned>(x); }
  __device__ __forceinline__ word value_of(unsigned part, word x) const {
    return load_state(&words[part + gridDim.x * state_of(x)]);
  }
};

// f over all parts before this one, in lane 0 of a warp.
template <class States, class T, class F>
__device__ __forceinline__ T look_back(const States& states, unsigned part, T own, unsigned lane, F f) {
  if (part > 0 && lane == 0) states.publish(part, 1, own);
  T before = 0;
  for (unsigned rest = part; rest > 0;) {
    const bool is_there = lane < rest;
    const unsigned other = is_there ? rest - 1 - lane : 0;
    word x = states.load(other);
    while (__any_sync(~0u, States::state_of(x) == 0)) x = states.load(other);
    const unsigned complete = __ballot_sync(~0u, is_there && States::state_of(x) == 2);
    const unsigned nearest = complete == 0 ? 32 : __ffs(complete) - 1;
    const T value = states.value_of(other, x);
    T all = is_there && lane <= nearest ? value : T(0);
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const T earlier = __shfl_down_sync(~0u, all, distance);
      if (lane + distance < 32) all = f(earlier, all);
    }
    before = f(all, before);
    rest = complete != 0 ? 0 : rest - min(rest, 32u);
  }
  if (lane == 0) states.publish(part, 2, f(before, own));
  return before;
}

// The last block to end makes scratch memory 0 again.
__device__ __forceinline__ void end_part(word* scratch, unsigned* ended, unsigned words, unsigned thread) {
  if (thread == 0) {
    __threadfence();
    *ended = static_cast<unsigned>(atomicAdd(scratch + 1, 1ull));
    __threadfence();
  }
  __syncthreads();
  if (*ended == gridDim.x - 1)
    for (unsigned i = thread; i < words; i += 256) scratch[i] = 0;
}
