// Host side of the programs: opens a driver library by its path, loads PTX, launches kernels and compares what they
// leave with references. Plain C17 and the exported names of the driver API; no CUDA header, no CUDA library at build
// time.
//   TG_PROGRAMS_LIBCUDA  path of the library, or the first argument; the driver of the machine when neither is given
//   TG_PROGRAMS_SEED     seed of the inputs; from the clock when it is not given, printed in any case
// The other arguments are names of programs to run, all when there are none. Runs in the root of the project.
#pragma once

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t device_address;
typedef struct module_object* module_handle;
typedef struct function_object* function_handle;

/// What one family runs: the name is that of the PTX file; `by_clang` when there is one made by clang as well.
struct program {
  const char* name;
  void (*run)(void);
  bool by_clang;
};

/// How many blocks, or threads.
struct extent {
  unsigned x, y, z;
};
static inline struct extent at(unsigned x) { return (struct extent){x, 1, 1}; }
static inline struct extent at2(unsigned x, unsigned y) { return (struct extent){x, y, 1}; }
static inline struct extent at3(unsigned x, unsigned y, unsigned z) { return (struct extent){x, y, z}; }

/// The arguments of a launch, by address: `with(&x, &n)`.
#define with(...) ((void*[]){__VA_ARGS__})
/// A loop over the sizes that are named: `for_sizes(n, 1, 31, 257)`. Zero is no size.
#define for_sizes(n, ...) for (unsigned sizes_[] = {__VA_ARGS__, 0}, *next_ = sizes_, n; (n = *next_) != 0; ++next_)
#define count_of(array) (sizeof(array) / sizeof *(array))

static const double eps16 = 0x1p-11;  // half a unit in the last place of 1
static const double eps32 = 0x1p-24;
static const double eps64 = 0x1p-53;

static struct {
  int (*init)(unsigned);
  int (*device_get)(int*, int);
  int (*retain)(void**, int);
  int (*release)(int);
  int (*set_current)(void*);
  int (*synchronize)(void);
  int (*load)(module_handle*, const void*, unsigned, int*, void**);
  int (*unload)(module_handle);
  int (*get_function)(function_handle*, module_handle, const char*);
  int (*get_global)(device_address*, size_t*, module_handle, const char*);
  int (*set_attribute)(function_handle, int, int);
  int (*alloc)(device_address*, size_t);
  int (*free)(device_address);
  int (*to_device)(device_address, const void*, size_t);
  int (*to_host)(void*, device_address, size_t);
  int (*fill)(device_address, unsigned char, size_t);
  int (*launch)(function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**);
  int (*launch_cooperative)(function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            void*, void**);
  int (*error_name)(int, const char**);
} cu;

static struct {
  void* library;
  module_handle module;
  jmp_buf failed;
  uint64_t random;
  device_address buffers[256];
  size_t buffer_count;
  void* memory[1024];
  size_t memory_count;
} state;

/// Ends the program with what went wrong.
static _Noreturn void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  longjmp(state.failed, 1);
}

static void require(int result, const char* call) {
  if (result == 0) return;
  const char* name = "?";
  cu.error_name(result, &name);
  fail("%s: %s (%d)", call, name, result);
}

// --- memory: freed when the program ends

/// Zeroed host memory.
static void* room(size_t bytes) {
  if (state.memory_count == count_of(state.memory)) fail("too many host buffers");
  void* memory = calloc(bytes ? bytes : 1, 1);
  state.memory[state.memory_count++] = memory;
  return memory;
}

/// Device memory full of bytes that are no answer: as a float -1.4e14, as a double -1.6e122.
static inline device_address poisoned(size_t bytes) {
  device_address address = 0;
  if (state.buffer_count == count_of(state.buffers)) fail("too many device buffers");
  require(cu.alloc(&address, bytes ? bytes : 1), "cuMemAlloc");
  state.buffers[state.buffer_count++] = address;
  if (bytes) require(cu.fill(address, 0xd7, bytes), "cuMemsetD8");
  return address;
}

static inline device_address zeroed(size_t bytes) {
  const device_address address = poisoned(bytes);
  require(cu.fill(address, 0, bytes), "cuMemsetD8");
  return address;
}

static inline device_address upload(const void* from, size_t bytes) {
  const device_address address = poisoned(bytes);
  if (bytes) require(cu.to_device(address, from, bytes), "cuMemcpyHtoD");
  return address;
}

/// A copy of what is in device memory.
static inline void* fetch(device_address from, size_t bytes) {
  void* memory = room(bytes);
  if (bytes) require(cu.to_host(memory, from, bytes), "cuMemcpyDtoH");
  return memory;
}

/// The address of a variable of the module, which must have this size.
static inline device_address global(const char* name, size_t bytes) {
  device_address address = 0;
  size_t size = 0;
  require(cu.get_global(&address, &size, state.module, name), "cuModuleGetGlobal");
  if (size != bytes) fail("%s has %zu bytes, not %zu", name, size, bytes);
  return address;
}

// --- launches

static function_handle function(const char* kernel) {
  function_handle found = NULL;
  require(cu.get_function(&found, state.module, kernel), kernel);
  return found;
}

/// Launches and returns the driver's result after the work is done.
static int launch_result(const char* kernel, struct extent grid, struct extent block, unsigned shared,
                         void** arguments) {
  const function_handle f = function(kernel);
  if (shared > 48 * 1024) require(cu.set_attribute(f, 8, (int)shared), "cuFuncSetAttribute");
  const int result = cu.launch(f, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, NULL, arguments, NULL);
  return result ? result : cu.synchronize();
}

static inline void launch(const char* kernel, struct extent grid, struct extent block, unsigned shared,
                          void** arguments) {
  require(launch_result(kernel, grid, block, shared, arguments), kernel);
}

/// Launches blocks that wait for each other.
static inline void launch_cooperative(const char* kernel, struct extent grid, struct extent block, void** arguments) {
  if (cu.launch_cooperative == NULL) fail("no cuLaunchCooperativeKernel");
  require(
      cu.launch_cooperative(function(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, NULL, arguments),
      kernel);
  require(cu.synchronize(), kernel);
}

/// As many blocks as it takes.
static inline unsigned blocks(unsigned count, unsigned per_block) { return (count + per_block - 1) / per_block; }

// --- inputs (splitmix64)

static inline uint64_t random_u64(void) {
  uint64_t z = state.random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Below the bound; any word when the bound is 0.
static inline uint32_t random_u32(uint32_t bound) {
  const uint32_t word = (uint32_t)(random_u64() >> 32);
  return bound ? (uint32_t)(((uint64_t)word * bound) >> 32) : word;
}

static inline double random_real(double low, double high) {
  return low + (high - low) * (double)(random_u64() >> 11) * 0x1p-53;
}

static inline uint32_t* random_words(size_t n, uint32_t bound) {
  uint32_t* out = room(n * sizeof *out);
  for (size_t i = 0; i < n; ++i) out[i] = random_u32(bound);
  return out;
}

static inline float* random_floats(size_t n, double low, double high) {
  float* out = room(n * sizeof *out);
  for (size_t i = 0; i < n; ++i) out[i] = (float)random_real(low, high);
  return out;
}

static inline double* random_doubles(size_t n, double low, double high) {
  double* out = room(n * sizeof *out);
  for (size_t i = 0; i < n; ++i) out[i] = random_real(low, high);
  return out;
}

// --- answers

static inline void equal(const char* what, size_t i, uint64_t got, uint64_t want) {
  if (got != want)
    fail("%s[%zu] is %llu (0x%llx), not %llu (0x%llx)", what, i, (unsigned long long)got, (unsigned long long)got,
         (unsigned long long)want, (unsigned long long)want);
}

/// The distance is at most the bound; a NaN is near to nothing.
static inline void near(const char* what, size_t i, double got, double want, double bound) {
  if (got != want && !(fabs(got - want) <= bound))
    fail("%s[%zu] is %.17g, not %.17g within %.3g", what, i, got, want, bound);
}

static inline void same_words(const char* what, const uint32_t* got, const uint32_t* want, size_t n) {
  for (size_t i = 0; i < n; ++i) equal(what, i, got[i], want[i]);
}

static inline uint32_t bits_of(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint64_t bits_of_double(double value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// --- the run

static void* resolve(const char* name, bool is_needed) {
  void* symbol = dlsym(state.library, name);
  if (symbol == NULL && is_needed) {
    printf("the library has no %s\n", name);
    exit(2);
  }
  return symbol;
}

/// False when there is no such library, or no device behind it.
static bool open_library(const char* path) {
  state.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (state.library == NULL) {
    printf("%s\n", dlerror());
    return false;
  }
  const struct {
    void* slot;
    const char* name;
  } symbols[] = {
      {&cu.init, "cuInit"},
      {&cu.device_get, "cuDeviceGet"},
      {&cu.retain, "cuDevicePrimaryCtxRetain"},
      {&cu.release, "cuDevicePrimaryCtxRelease_v2"},
      {&cu.set_current, "cuCtxSetCurrent"},
      {&cu.synchronize, "cuCtxSynchronize"},
      {&cu.load, "cuModuleLoadDataEx"},
      {&cu.unload, "cuModuleUnload"},
      {&cu.get_function, "cuModuleGetFunction"},
      {&cu.get_global, "cuModuleGetGlobal_v2"},
      {&cu.set_attribute, "cuFuncSetAttribute"},
      {&cu.alloc, "cuMemAlloc_v2"},
      {&cu.free, "cuMemFree_v2"},
      {&cu.to_device, "cuMemcpyHtoD_v2"},
      {&cu.to_host, "cuMemcpyDtoH_v2"},
      {&cu.fill, "cuMemsetD8_v2"},
      {&cu.launch, "cuLaunchKernel"},
      {&cu.error_name, "cuGetErrorName"},
  };
  for (size_t i = 0; i < count_of(symbols); ++i) {
    void* symbol = resolve(symbols[i].name, true);
    memcpy(symbols[i].slot, &symbol, sizeof symbol);
  }
  void* cooperative = resolve("cuLaunchCooperativeKernel", false);
  memcpy(&cu.launch_cooperative, &cooperative, sizeof cooperative);
  return cu.init(0) == 0;
}

static void load(const char* name, const char* compiler) {
  char path[256];
  snprintf(path, sizeof path, "tests/programs/ptx/%s%s.ptx", name, compiler);
  FILE* file = fopen(path, "rb");
  if (file == NULL) fail("cannot open %s", path);
  fseek(file, 0, SEEK_END);
  const size_t bytes = (size_t)ftell(file);
  rewind(file);
  char* text = room(bytes + 1);
  const size_t got = fread(text, 1, bytes, file);
  fclose(file);
  if (got != bytes) fail("cannot read %s", path);
  static char log[4096];
  log[0] = '\0';
  int options[] = {5, 6};
  void* values[] = {log, (void*)(uintptr_t)sizeof log};
  const int result = cu.load(&state.module, text, 2, options, values);
  if (result != 0) fail("%s is not loaded (%d): %s", path, result, log);
}

static bool run_program(const struct program* p, const char* compiler) {
  const clock_t start = clock();
  printf("%-24s %-7s", p->name, compiler);
  fflush(stdout);
  const bool failed = setjmp(state.failed) != 0;
  if (!failed) {
    load(p->name, compiler);
    p->run();
  }
  if (state.module) cu.unload(state.module);
  state.module = NULL;
  while (state.buffer_count) cu.free(state.buffers[--state.buffer_count]);
  while (state.memory_count) free(state.memory[--state.memory_count]);
  if (failed) printf("\n%-32s", "");
  printf(" %s %.2f s\n", failed ? "FAILED" : "passed", (double)(clock() - start) / CLOCKS_PER_SEC);
  return !failed;
}

static bool is_wanted(const char* name, int count, char** names) {
  for (int i = 0; i < count; ++i)
    if (strcmp(names[i], name) == 0) return true;
  return count == 0;
}

static bool open_context(int device) {
  void* context = NULL;
  if (setjmp(state.failed) != 0) return false;
  require(cu.device_get(&device, 0), "cuDeviceGet");
  require(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
  require(cu.set_current(context), "cuCtxSetCurrent");
  return true;
}

/// Runs the programs that the command line names; returns the exit status.
static int run_programs(const struct program* programs, size_t count, int argc, char** argv) {
  const char* path = getenv("TG_PROGRAMS_LIBCUDA");
  const char* seed = getenv("TG_PROGRAMS_SEED");
  if (path == NULL && argc > 1) {
    path = argv[1];
    --argc, ++argv;
  }
  state.random = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)state.random);
  if (!open_library(path ? path : "libcuda.so.1")) {
    if (path) return 2;
    printf("no GPU: skipped\n");
    return 77;
  }
  if (!open_context(0)) return 2;
  int failures = 0, runs = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_wanted(programs[i].name, argc - 1, argv + 1)) continue;
    failures += !run_program(&programs[i], "");
    if (programs[i].by_clang) failures += !run_program(&programs[i], ".clang");
    runs += 1 + programs[i].by_clang;
  }
  cu.release(0);
  printf("%d of %d runs failed\n", failures, runs);
  return failures != 0 || runs == 0;
}
