// Runs a random kernel on a GPU, through its driver.
#pragma once

#include <string>
#include <vector>

#include "../../gpu_machine.hpp"
#include "emulate.hpp"

namespace judge {

/// Runs the text of `k` on the first GPU.
inline emulated run_on_gpu(const kernel& k, const launch& l, const std::string& ptx) {
  emulated out;
  try {
    gpu_machine::loaded machine(ptx);
    std::vector<std::uint64_t> places(k.objects.size());
    for (std::size_t n = 0; n < k.objects.size(); ++n) {
      out.memory.emplace_back();
      if (k.objects[n].what == object::kind::tile) continue;
      out.memory[n] = first_contents(k, static_cast<int>(n), l);
      places[n] = machine.add_memory(out.memory[n].data(), out.memory[n].size());
    }
    for (std::size_t n = 0; n < k.scalars.size(); ++n) {
      const bits number = l.scalars[n] & mask_of(k.scalars[n]);
      machine.add_number(&number, static_cast<std::size_t>(bytes_of(k.scalars[n])));
    }
    const auto shape = shape_of(k, l);
    machine.run({shape.grid.x, shape.grid.y, shape.grid.z}, {shape.block.x, shape.block.y, shape.block.z});
    for (std::size_t n = 0; n < k.objects.size(); ++n)
      if (k.objects[n].what != object::kind::tile) machine.read(places[n], out.memory[n].data(), out.memory[n].size());
  } catch (const tg::error& e) { out.error = e.what(); }
  return out;
}

}  // namespace judge
