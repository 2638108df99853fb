// lz4_decompress and lz4_compress of kernels/lz4_decompress.hpp and kernels/lz4_compress.hpp: a warp for each block.
constexpr int truncated = -1, no_room = -2, bad_distance = -3;
constexpr unsigned all_lanes = ~0u, last_literals = 5, last_match = 12;

struct reader {
  const unsigned char* from;
  unsigned size, lane;

  __device__ unsigned window(unsigned at) const { return at + lane < size ? from[at + lane] : 0; }
  __device__ void add_length(unsigned& length, unsigned& at) const {
    for (unsigned ends = 0; ends == 0;) {
      const unsigned bytes = window(at);
      ends = __ballot_sync(all_lanes, bytes != 255);
      const unsigned full = ends ? __ffs(ends) - 1 : 32, last = __shfl_sync(all_lanes, bytes, full & 31);
      length = min(length + full * 255 + (ends ? last : 0), 1u << 31);
      at += full + (ends ? 1 : 0);
    }
  }
};

__device__ __forceinline__ int decompress(const reader& read, unsigned char* out, unsigned room) {
  const unsigned size = read.size, lane = read.lane;
  unsigned at = 0, written = 0;
  while (at < size) {
    unsigned window = read.window(at);
    const unsigned token = __shfl_sync(all_lanes, window, 0);
    const bool is_long = token >= 0xf0;
    unsigned literals = token >> 4;
    ++at;
    if (is_long) read.add_length(literals, at);
    const unsigned left = size - at;
    if (at > size || literals > left) return truncated;
    if (literals > room - written) return no_room;
    if (is_long) {
      for (unsigned i = lane; i < literals; i += 32) out[written + i] = read.from[at + i];
    } else if (lane >= 1 && lane <= literals) {
      out[written + lane - 1] = window;
    }
    written += literals;
    at += literals;
    if (literals == left) return written;
    if (left - literals < 2) return truncated;
    if (is_long) window = read.window(at);
    const unsigned place = is_long ? 0 : literals + 1;
    const unsigned distance = __shfl_sync(all_lanes, window, place) | __shfl_sync(all_lanes, window, place + 1) << 8;
    at += 2;
    unsigned length = token & 15;
    if (length == 15) read.add_length(length, at);
    if (at > size) return truncated;
    length += 4;
    if (distance == 0 || distance > written) return bad_distance;
    if (length > room - written) return no_room;
    __syncwarp();
    unsigned phase = lane, step = 32;
    if (distance <= 32) phase = lane % distance, step = 32 % distance;
    const unsigned char* const source = out + written - distance;
    for (unsigned i = lane; i < length; i += 32) {
      out[written + i] = source[phase];
      phase += step;
      if (phase >= distance) phase -= distance;
    }
    written += length;
  }
  return truncated;
}

extern "C" __global__ void __launch_bounds__(128)
    lz4_decompress(const unsigned char* __restrict__ packed, const unsigned* __restrict__ begins,
                   const int* __restrict__ packed_sizes, unsigned char* out, const unsigned* __restrict__ offsets,
                   int* __restrict__ sizes, unsigned blocks) {
  const unsigned own = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (own >= blocks) return;
  const reader read{packed + begins[own], static_cast<unsigned>(max(packed_sizes[own], 0)), lane};
  const int size = decompress(read, out + offsets[own], offsets[own + 1] - offsets[own]);
  if (lane == 0) sizes[own] = size;
}

struct writer {
  unsigned char* to;
  unsigned lane;

  __device__ void add_length(unsigned rest) {
    const unsigned full = rest / 255;
    for (unsigned i = lane; i <= full; i += 32) to[i] = i < full ? 255 : rest - full * 255;
    to += full + 1;
  }
  __device__ void add_literals(const unsigned char* from, unsigned count, unsigned low) {
    if (lane == 0) *to = min(count, 15u) << 4 | low;
    ++to;
    if (count >= 15) add_length(count - 15);
    for (unsigned i = lane; i < count; i += 32) to[i] = from[i];
    to += count;
  }
};

// The four bytes from x on, which need not be aligned, as two aligned words have them.
__device__ __forceinline__ unsigned word_at(const unsigned char* x) {
  const size_t at = reinterpret_cast<size_t>(x);
  const unsigned* const words = reinterpret_cast<const unsigned*>(at & ~size_t{3});
  return __funnelshift_r(words[0], words[1], (at & 3) * 8);
}

extern "C" __global__ void __launch_bounds__(32)
    lz4_compress(const unsigned char* __restrict__ all, const unsigned* __restrict__ offsets, unsigned char* __restrict__ packed,
                 const unsigned* __restrict__ begins, int* __restrict__ sizes) {
  __shared__ __align__(16) unsigned short table[4096];
  const unsigned own = blockIdx.x, lane = threadIdx.x;
  const unsigned char* const x = all + offsets[own];
  const unsigned n = offsets[own + 1] - offsets[own];
#pragma unroll
  for (int i = 0; i < 16; ++i) reinterpret_cast<uint4*>(table)[lane + i * 32] = uint4{0, 0, 0, 0};
  __syncwarp();
  writer out{packed + begins[own], lane};
  unsigned base = 0, written = 0;
  while (base + last_match <= n) {
    const unsigned place = base + lane;
    const bool is_place = place + last_match <= n;
    const unsigned word = is_place ? word_at(x + place) : 0, hash = word * 2654435761u >> 20;
    const unsigned alike = __match_any_sync(all_lanes, is_place ? hash : 4096);
    const unsigned below = alike & ((1u << lane) - 1);
    const unsigned distance = below ? lane - (31 - __clz(below)) : (place - table[hash]) & 0xffff;
    const bool is_match = is_place && distance > 0 && distance <= place && word_at(x + place - distance) == word;
    const unsigned found = __ballot_sync(all_lanes, is_match);
    unsigned next = base + 32;
    if (found) {
      const unsigned first = __ffs(found) - 1, back = __shfl_sync(all_lanes, distance, first), start = base + first;
      unsigned length = 4;
      for (unsigned ends = 0; ends == 0;) {
        const unsigned at = start + length + lane;
        ends = __ballot_sync(all_lanes, at + last_literals >= n || x[at] != x[at - back]);
        length += ends ? __ffs(ends) - 1 : 32;
      }
      out.add_literals(x + written, start - written, min(length - 4, 15u));
      if (lane < 2) out.to[lane] = back >> lane * 8;
      out.to += 2;
      if (length >= 19) out.add_length(length - 19);
      next = written = start + length;
    }
    __syncwarp();
    const unsigned noted = alike & all_lanes >> (32 - min(next - base, 32u));
    if (is_place && noted >> lane == 1) table[hash] = place;
    __syncwarp();
    base = next;
  }
  out.add_literals(x + written, n - written, 0);
  if (lane == 0) sizes[own] = out.to - (packed + begins[own]);
}
