// Memory from the device's own heap: lists that grow by malloc, freed by another launch; new[] and delete[].
struct node {
  int value;
  node* next;
};

extern "C" __global__ void build_lists(node** heads, const int* lengths, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  node* head = nullptr;
  for (int k = 0; k < lengths[i]; ++k) {
    node* made = (node*)malloc(sizeof(node));
    made->value = k * (int)i, made->next = head;
    head = made;
  }
  heads[i] = head;
}

extern "C" __global__ void sum_lists(node** heads, int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (node* at = heads[i]; at;) {
    node* next = at->next;
    sum = sum * 3 + at->value;
    free(at);
    at = next;
  }
  int* squares = new int[i % 7 + 1];
  for (unsigned k = 0; k <= i % 7; ++k) squares[k] = k * k;
  for (unsigned k = 0; k <= i % 7; ++k) sum += squares[k];
  delete[] squares;
  sums[i] = sum;
}
