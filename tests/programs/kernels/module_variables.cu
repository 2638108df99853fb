// Variables of the module: initialised scalars, arrays in part, structures with pointers into other variables, managed ones.
struct record {
  char tag;
  double weight;
  const int* values;
  short pair[2];
};

__device__ int counter = 41;
__device__ int table[8] = {3, 1, 4, 1, 5};
__constant__ record records[2] = {{'a', 2.5, table, {-1, 2}}, {'b', -0.125, table + 2, {300, -400}}};
__device__ float* shared_pointer = nullptr;
__managed__ unsigned long long managed_sum = 1000;
__device__ const char text[] = "device text";

extern "C" __global__ void module_variables(double* out, char* copy) {
  const int t = threadIdx.x;
  if (t == 0) counter += 1;
  if (t == 4) managed_sum += table[4];
  if (t < 8) table[t] += t;
  __syncthreads();
  const record r = records[t % 2];
  out[t] = r.weight * r.values[t % 4] + r.pair[t / 2 % 2] + r.tag;
  if (t < (int)sizeof text) copy[t] = text[t];
  if (shared_pointer && t < 4) shared_pointer[t] = (float)(counter + t);
}
