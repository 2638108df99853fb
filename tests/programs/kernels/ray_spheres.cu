// Rays against spheres with reflections, a loop with a stack-free bounce; distances in double precision.
struct sphere {
  double x, y, z, radius;
  int reflects;
};
struct vec {
  double x, y, z;
  __device__ vec operator+(vec b) const { return {x + b.x, y + b.y, z + b.z}; }
  __device__ vec operator-(vec b) const { return {x - b.x, y - b.y, z - b.z}; }
  __device__ vec operator*(double s) const { return {x * s, y * s, z * s}; }
  __device__ double dot(vec b) const { return fma(x, b.x, fma(y, b.y, z * b.z)); }
};

extern "C" __global__ void ray_spheres(const sphere* spheres, int count, int* hits, double* lengths, int width,
                                       int height) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= width * height) return;
  vec from{0, 0, -5}, to{(at % width) * 2.0 / width - 1, (at / width) * 2.0 / height - 1, 2};
  to = to * (1 / sqrt(to.dot(to)));
  double length = 0;
  int last = -1;
  for (int bounce = 0; bounce < 4; ++bounce) {
    double least = 1e300;
    int hit = -1;
    for (int s = 0; s < count; ++s) {
      if (s == last) continue;
      const vec away = vec{spheres[s].x, spheres[s].y, spheres[s].z} - from;
      const double along = away.dot(to), reach = fma(spheres[s].radius, spheres[s].radius, fma(along, along, -away.dot(away)));
      if (reach < 0 || along - sqrt(reach) <= 0 || along - sqrt(reach) >= least) continue;
      least = along - sqrt(reach), hit = s;
    }
    if (hit < 0) break;
    last = hit, length += least;
    if (!spheres[hit].reflects) break;
    from = from + to * least;
    const vec n = (from - vec{spheres[hit].x, spheres[hit].y, spheres[hit].z}) * (1 / spheres[hit].radius);
    to = to - n * (2 * n.dot(to));
  }
  hits[at] = last, lengths[at] = length;
}
