// SHA-256 of messages of at most 55 bytes, the constants in constant memory, the schedule in a ring of 16 words.
// clang: -O2
__constant__ unsigned k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ unsigned turned(unsigned x, int n) { return x >> n | x << (32 - n); }

extern "C" __global__ void sha256(const unsigned char* messages, const unsigned char* lengths, unsigned* digests, int count) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  unsigned w[16];
  const int length = lengths[m];
  for (int i = 0; i < 16; ++i) {
    w[i] = 0;
    for (int b = 4 * i; b < 4 * i + 4; ++b)
      w[i] = w[i] << 8 | (b < length ? messages[64 * m + b] : b == length ? 0x80 : 0);
  }
  w[15] = 8 * length;
  const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned s[8];
  for (int i = 0; i < 8; ++i) s[i] = start[i];
  for (int t = 0; t < 64; ++t) {
    if (t >= 16) {
      const unsigned x = w[(t + 1) % 16], y = w[(t + 14) % 16];
      w[t % 16] += (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[(t + 9) % 16] + (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    }
    const unsigned one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                         k256[t] + w[t % 16];
    const unsigned two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                         ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int i = 7; i > 0; --i) s[i] = s[i - 1];
    s[4] += one, s[0] = one + two;
  }
  for (int i = 0; i < 8; ++i) digests[8 * m + i] = s[i] + start[i];
}
