// Julia sets in double precision, coloured through a struct with an operator.
struct complex {
  double r, i;
  __device__ complex operator*(complex b) const { return {fma(r, b.r, -(i * b.i)), fma(r, b.i, i * b.r)}; }
  __device__ complex operator+(complex b) const { return {r + b.r, i + b.i}; }
  __device__ double norm() const { return fma(r, r, i * i); }
};

extern "C" __global__ void julia(uchar4* image, complex c, int width, int height) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= width * height) return;
  complex z{(at % width - width / 2) / 16.0, (at / width - height / 2) / 16.0};
  int t = 0;
  while (t < 200 && z.norm() < 16.0) z = z * z + c, ++t;
  image[at] = make_uchar4(t, t * 3, 255 - t, t == 200 ? 255 : 0);
}
