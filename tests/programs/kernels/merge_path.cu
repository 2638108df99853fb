// Merges two sorted arrays: each thread finds where its diagonal crosses the merge path by bisection, then merges 8.
extern "C" __global__ void merge_path(const int* a, int na, const int* b, int nb, int* out) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (first >= na + nb) return;
  int low = max(0, first - nb), high = min(first, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[first - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  int i = low, j = first - low;
  for (int k = first; k < min(first + 8, na + nb); ++k) {
    const bool from_a = j >= nb || (i < na && a[i] <= b[j]);
    out[k] = from_a ? a[i++] : b[j++];
  }
}
