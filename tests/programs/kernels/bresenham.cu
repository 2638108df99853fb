// Lines by Bresenham, one per thread, each into its own bit plane by atomic or.
extern "C" __global__ void bresenham(const short4* lines, unsigned* planes, int width, int height, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const short4 l = lines[i];
  int x = l.x, y = l.y;
  const int dx = abs(l.z - l.x), dy = -abs(l.w - l.y), sx = l.x < l.z ? 1 : -1, sy = l.y < l.w ? 1 : -1;
  for (int error = dx + dy;;) {
    if (x >= 0 && y >= 0 && x < width && y < height) atomicOr(&planes[y * width + x], 1u << i % 32);
    if (x == l.z && y == l.w) break;
    const int twice = 2 * error;
    if (twice >= dy) error += dy, x += sx;
    if (twice <= dx) error += dx, y += sy;
  }
}
