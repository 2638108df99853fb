// How kernels are found by their text, kept and forgotten.
#pragma once

#include <tg/runtime/module_cache.hpp>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>

namespace tg::runtime {

struct module_cache::place_of_kernel {
  std::mutex making;
  slot own = nullptr;  // of a kernel found by its text
  slot* known = &own;
};

struct module_cache::rest {
  std::mutex mutex;
  std::vector<std::unique_ptr<const compiled_kernel>> kernels;
  std::unordered_map<std::string, place_of_kernel> by_text;
  std::unordered_map<std::size_t, place_of_kernel> by_number;
  load_options options;
  std::optional<std::shared_ptr<tg::disk_cache>> disk;
};

TG_LIBRARY_FUNCTION std::shared_ptr<module_cache::rest> module_cache::make_rest() { return std::make_shared<rest>(); }

TG_LIBRARY_FUNCTION module_cache::place_of_kernel& module_cache::place_for(const std::string& text) {
  const std::lock_guard lock(rest_->mutex);
  return rest_->by_text[text];
}

TG_LIBRARY_FUNCTION module_cache::place_of_kernel& module_cache::place_for(std::size_t number) {
  const auto [chunk, index] = place_of(number);
  const std::lock_guard lock(rest_->mutex);
  slot* slots = chunks_[chunk].load(std::memory_order_relaxed);
  if (slots == nullptr) chunks_[chunk].store(slots = new slot[first_chunk << chunk]{}, std::memory_order_release);
  const auto [home, is_new] = rest_->by_number.try_emplace(number);
  if (is_new) home->second.known = &slots[index];
  return home->second;
}

TG_LIBRARY_FUNCTION const compiled_kernel& module_cache::find_or_make(place_of_kernel& home, compiled_kernel (*make)(void*),
                                                                      void* maker) {
  const std::lock_guard lock(home.making);
  if (const compiled_kernel* known = home.known->load(std::memory_order_acquire)) return *known;
  const compiled_kernel& made = keep(make(maker));
  home.known->store(&made, std::memory_order_release);
  return made;
}

TG_LIBRARY_FUNCTION void module_cache::replace(place_of_kernel& home, const compiled_kernel& kernel) {
  const std::lock_guard lock(home.making);
  home.known->store(&kernel, std::memory_order_release);
}

TG_LIBRARY_FUNCTION const compiled_kernel& module_cache::keep(compiled_kernel made) {
  auto kept = std::make_unique<const compiled_kernel>(std::move(made));
  const std::lock_guard lock(rest_->mutex);
  return *rest_->kernels.emplace_back(std::move(kept));
}

TG_LIBRARY_FUNCTION dynamic_array<driver::module_handle> module_cache::clear() {
  background_.stop();
  const std::lock_guard lock(rest_->mutex);
  rest_->by_text.clear();
  rest_->by_number.clear();
  for (auto& chunk : chunks_) delete[] chunk.exchange(nullptr);
  dynamic_array<driver::module_handle> out;
  for (const auto& kernel : rest_->kernels) out.push_back(kernel->module);
  rest_->kernels.clear();
  return out;
}

TG_LIBRARY_FUNCTION load_options module_cache::options() const {
  const std::lock_guard lock(rest_->mutex);
  return rest_->options;
}

TG_LIBRARY_FUNCTION void module_cache::set_options(const load_options& o) {
  const std::lock_guard lock(rest_->mutex);
  rest_->options = o;
}

TG_LIBRARY_FUNCTION std::optional<std::shared_ptr<tg::disk_cache>> module_cache::disk_cache() const {
  const std::lock_guard lock(rest_->mutex);
  return rest_->disk;
}

TG_LIBRARY_FUNCTION void module_cache::set_disk_cache(std::shared_ptr<tg::disk_cache> cache) {
  const std::lock_guard lock(rest_->mutex);
  rest_->disk = std::move(cache);
}

}  // namespace tg::runtime
