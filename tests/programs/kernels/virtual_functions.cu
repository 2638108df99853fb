// Shapes behind a pointer to their base, made on the device and used by a later launch.
struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int sides() const { return 0; }
};
struct square : shape {
  float side;
  __device__ square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int sides() const override { return 4; }
};
struct triangle : shape {
  float base, height;
  __device__ triangle(float b, float h) : base(b), height(h) {}
  __device__ float area() const override { return 0.5f * base * height; }
  __device__ int sides() const override { return 3; }
};
struct disc : square {
  using square::square;
  __device__ float area() const override { return 3.0f * square::area(); }
};

extern "C" __global__ void make_shapes(shape** shapes, const float* sizes, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 3 == 0) shapes[i] = new square(sizes[i]);
  else if (i % 3 == 1) shapes[i] = new triangle(sizes[i], 2);
  else shapes[i] = new disc(sizes[i]);
}

extern "C" __global__ void use_shapes(shape** shapes, float* areas, int* sides, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  areas[i] = shapes[i]->area(), sides[i] = shapes[i]->sides();
  delete shapes[i];
}
