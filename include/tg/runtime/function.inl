// Functions of other people's modules: attributes and occupancy.
#pragma once

#include <tg/runtime/function.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION int function::attribute(driver::function_attribute what) const {
  int out = 0;
  c().call(c().api().cuFuncGetAttribute, &out, what, native());
  return out;
}

TG_LIBRARY_FUNCTION void function::allow_shared_bytes(std::size_t dynamic_bytes) {
  const runtime::device_limits& limits = c().limits();
  const auto own = static_cast<std::size_t>(static_shared_bytes());
  const std::size_t most = std::max(limits.shared_bytes, limits.shared_bytes_opt_in);
  if (dynamic_bytes > most || own + dynamic_bytes > most)
    throw error(runtime::function_limit,
                "'" + name() + "' has " + std::to_string(own) + " bytes of shared memory and is to be allowed " +
                    std::to_string(dynamic_bytes) + " more; a block has at most " + std::to_string(most),
                "ask limits() for the most");
  c().call(c().api().cuFuncSetAttribute, native(), driver::function_attribute::max_dynamic_shared_size_bytes,
           static_cast<int>(dynamic_bytes));
}

TG_LIBRARY_FUNCTION void function::prefer_shared_memory(int percent) {
  if (percent < 0 || percent > 100)
    throw error(runtime::function_limit, "'" + name() + "' is to prefer " + std::to_string(percent) + " percent shared memory",
                "use 0 to 100");
  c().call(c().api().cuFuncSetAttribute, native(), driver::function_attribute::preferred_shared_memory_carveout, percent);
}

TG_LIBRARY_FUNCTION int function::resident_blocks(int threads, std::size_t dynamic_shared_bytes) const {
  int out = 0;
  c().call(c().api().cuOccupancyMaxActiveBlocksPerMultiprocessor, &out, native(), threads, dynamic_shared_bytes);
  return out;
}

TG_LIBRARY_FUNCTION int function::best_block_threads(std::size_t dynamic_shared_bytes) const {
  int blocks = 0, out = 0;
  c().call(c().api().cuOccupancyMaxPotentialBlockSize, &blocks, &out, native(), driver::dynamic_shared_size{},
           dynamic_shared_bytes, 0);
  return out;
}

TG_LIBRARY_FUNCTION std::shared_ptr<runtime::compiled_kernel> function::find_kernel(const runtime::owned_module& owner,
                                                                                    const std::string& name) {
  runtime::context& here = *owner.context();
  const std::shared_ptr<runtime::compiled_kernel> out(new runtime::compiled_kernel,
                                                      [context = owner.context()](runtime::compiled_kernel* k) {
                                                        context->forget(k->name.c_str(), k->function);
                                                        delete k;
                                                      });
  out->name = name;
  out->module = owner.made().native;
  here.call(here.api().cuModuleGetFunction, &out->function, out->module, static_cast<const char*>(out->name.c_str()));
  using enum driver::function_attribute;
  const auto read = [&](driver::function_attribute what) {
    int value = 0;
    here.call(here.api().cuFuncGetAttribute, &value, what, out->function);
    return value;
  };
  out->registers = read(num_regs);
  out->static_shared_bytes = read(shared_size_bytes);
  out->local_bytes = read(local_size_bytes);
  out->max_threads = read(max_threads_per_block);
  out->ptx = owner.made().ptx;
  runtime::plan_launches(here, *out, {});
  return out;
}

}  // namespace tg
