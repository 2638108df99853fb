// A processor as an OpenCL device: the functions needed, opened by name, and a task's kernel on it.
#pragma once

#include <optional>
#include <string>

#include <bench/emulator/task.hpp>

#if __has_include(<CL/cl.h>)
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <stdexcept>

namespace bench {

class opencl {
 public:
  /// Empty when there is no OpenCL library or no processor behind it.
  static std::optional<opencl> open(const std::string& source) {
    void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == nullptr) return std::nullopt;
    opencl made;
    made.library_ = library;
    cl_uint count = 0;
    cl_platform_id platforms[8];
    if (made.function<decltype(clGetPlatformIDs)>("clGetPlatformIDs")(8, platforms, &count) != CL_SUCCESS) return std::nullopt;
    for (cl_uint k = 0; k < std::min<cl_uint>(count, 8); ++k)
      if (made.function<decltype(clGetDeviceIDs)>("clGetDeviceIDs")(platforms[k], CL_DEVICE_TYPE_CPU, 1, &made.device_,
                                                                    nullptr) == CL_SUCCESS) {
        made.build(source);
        return made;
      }
    return std::nullopt;
  }

  std::string name() const {
    char text[256] = {};
    function<decltype(clGetDeviceInfo)>("clGetDeviceInfo")(device_, CL_DEVICE_VERSION, sizeof text - 1, text, nullptr);
    return text;
  }

  /// A task made ready to run again and again.
  class prepared {
   public:
    prepared(opencl& on, const task& t) : on_(on), task_(t) {
      cl_int status = 0;
      kernel_ = on.function<decltype(clCreateKernel)>("clCreateKernel")(on.program_, t.name.c_str(), &status);
      check(status, "clCreateKernel");
      for (const task::words& words : t.buffers) {
        buffers_.push_back(on.function<decltype(clCreateBuffer)>("clCreateBuffer")(
            on.context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words.size() * 4, const_cast<std::uint32_t*>(words.data()),
            &status));
        check(status, "clCreateBuffer");
      }
      const auto set = on.function<decltype(clSetKernelArg)>("clSetKernelArg");
      for (cl_uint k = 0; k < t.arguments.size(); ++k)
        check(std::visit(
                  [&](const auto& value) {
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, buffer_number>)
                      return set(kernel_, k, sizeof(cl_mem), &buffers_[value.at]);
                    else return set(kernel_, k, 4, &value);
                  },
                  t.arguments[k]),
              "clSetKernelArg");
    }
    void clear() {
      const std::uint32_t zero = 0;
      check(on_.function<decltype(clEnqueueFillBuffer)>("clEnqueueFillBuffer")(
                on_.queue_, buffers_.back(), &zero, 4, 0, task_.buffers.back().size() * 4, 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
      on_.finish();
    }
    void run() {
      const auto &grid = task_.shape.grid, &block = task_.shape.block;
      const std::size_t all[] = {std::size_t{grid.x} * block.x, std::size_t{grid.y} * block.y}, local[] = {block.x, block.y};
      check(on_.enqueue_(on_.queue_, kernel_, 2, nullptr, all, local, 0, nullptr, nullptr), "clEnqueueNDRangeKernel");
      on_.finish();
    }
    task::words result() {
      task::words out(task_.buffers.back().size());
      check(on_.function<decltype(clEnqueueReadBuffer)>("clEnqueueReadBuffer")(on_.queue_, buffers_.back(), CL_TRUE, 0,
                                                                               out.size() * 4, out.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      return out;
    }

   private:
    opencl& on_;
    const task& task_;
    cl_kernel kernel_ = nullptr;
    std::vector<cl_mem> buffers_;
  };

 private:
  static void check(cl_int status, const char* call) {
    if (status != CL_SUCCESS) throw std::runtime_error(std::string(call) + " returned " + std::to_string(status));
  }

  template <class F> F* function(const char* name) const {
    if (void* const found = dlsym(library_, name)) return reinterpret_cast<F*>(found);
    throw std::runtime_error(std::string("libOpenCL.so.1 has no ") + name);
  }

  void build(const std::string& source) {
    cl_int status = 0;
    context_ = function<decltype(clCreateContext)>("clCreateContext")(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = function<decltype(clCreateCommandQueue)>("clCreateCommandQueue")(context_, device_, 0, &status);
    check(status, "clCreateCommandQueue");
    const char* text = source.c_str();
    program_ = function<decltype(clCreateProgramWithSource)>("clCreateProgramWithSource")(context_, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(function<decltype(clBuildProgram)>("clBuildProgram")(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    enqueue_ = function<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
    finish_ = function<decltype(clFinish)>("clFinish");
  }
  void finish() { check(finish_(queue_), "clFinish"); }

  void* library_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  decltype(&clEnqueueNDRangeKernel) enqueue_ = nullptr;
  decltype(&clFinish) finish_ = nullptr;
};

}  // namespace bench
#else
namespace bench {

/// Without OpenCL's headers there is no device.
class opencl {
 public:
  static std::optional<opencl> open(const std::string&) { return std::nullopt; }
  std::string name() const { return {}; }
  struct prepared {
    prepared(opencl&, const task&) {}
    void clear() {}
    void run() {}
    task::words result() { return {}; }
  };
};

}  // namespace bench
#endif
