// Base64 of a text, three bytes per thread; the alphabet is a string literal.
extern "C" __global__ void base64(const unsigned char* in, uchar4* out, unsigned bytes) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (3 * i >= bytes) return;
  const unsigned left = bytes - 3 * i;
  const unsigned word = in[3 * i] << 16 | (left > 1 ? in[3 * i + 1] : 0) << 8 | (left > 2 ? in[3 * i + 2] : 0);
  out[i] = make_uchar4(alphabet[word >> 18], alphabet[word >> 12 & 63], left > 1 ? alphabet[word >> 6 & 63] : '=',
                       left > 2 ? alphabet[word & 63] : '=');
}
