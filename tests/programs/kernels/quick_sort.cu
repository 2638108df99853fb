// Each thread sorts its own row: quick sort that calls itself, and an insertion sort for what is short.
// clang: -O2
__device__ __noinline__ void quick_sort_range(int* x, int low, int high) {
  if (high - low < 6) {
    for (int i = low + 1; i <= high; ++i) {
      const int v = x[i];
      int k = i - 1;
      for (; k >= low && x[k] > v; --k) x[k + 1] = x[k];
      x[k + 1] = v;
    }
    return;
  }
  const int pivot = x[low + (high - low) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (x[i] < pivot) ++i;
    while (x[j] > pivot) --j;
    if (i <= j) {
      const int kept = x[i];
      x[i++] = x[j], x[j--] = kept;
    }
  }
  quick_sort_range(x, low, j);
  quick_sort_range(x, i, high);
}

extern "C" __global__ void quick_sort(int* x, int columns, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) quick_sort_range(x + row * columns, 0, columns - 1);
}
