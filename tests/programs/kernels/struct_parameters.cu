// A large structure by value, indexed at run time, with members of many sizes and a pointer inside.
struct material {
  unsigned char id;
  short weight;
  double density;
  float colour[3];
};
struct scene {
  material materials[20];
  const unsigned char* which;
  unsigned char flags[5];
  unsigned long long salt;
};

extern "C" __global__ void struct_parameters(scene s, double* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const material m = s.materials[s.which[i] % 20];
  out[i] = m.density * m.weight + m.colour[i % 3] + m.id + s.flags[i % 5] + (double)(s.salt >> 60);
}
