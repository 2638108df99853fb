// The kernel that is being recorded on this thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/analysis/warp.hpp>
#include <tg/base/error.hpp>
#include <tg/base/source_location.hpp>
#include <tg/dsl/access.hpp>
#include <tg/ptx/builder.hpp>
#include <tg/ptx/effect.hpp>

namespace tg::detail {

/// Where device values append their instructions while a kernel's lambda runs.
class tracer {
 public:
  tracer(ptx::module& m, std::uint32_t function) : build_(m, function), outer_(std::exchange(active(), this)) {}
  tracer(const tracer&) = delete;
  tracer& operator=(const tracer&) = delete;
  ~tracer() { active() = outer_; }

  /// The recording in progress. Errors: TG121 when device values are used outside a kernel.
  static tracer& current(source_location where = {}) {
    tracer* const own = active();
    if (own == nullptr) not_recording(where);
    if (where.is_known()) own->build_.at(where);
    return *own;
  }

  ptx::builder& build() { return build_; }
  ptx::function& fn() { return build_.fn(); }
  ptx::module& mod() { return build_.mod(); }

  ptx::operand compute(ptx::token type, ptx::opcode op, std::initializer_list<ptx::token> tokens,
                       std::initializer_list<ptx::operand> sources) {
    return build_.compute(type, op, tokens, sources);
  }
  ptx::instruction& emit(ptx::opcode op, std::initializer_list<ptx::token> tokens,
                         std::initializer_list<ptx::operand> operands) {
    return build_.emit(op, tokens, operands);
  }

  /// Numbers a memory access and remembers its verdict.
  std::uint32_t add(const access& entry) {
    accesses.push_back(entry);
    accesses.back().where = where_;
    return static_cast<std::uint32_t>(accesses.size() - 1);
  }
  /// The line of the last statement that was recorded.
  source_location where() const { return where_; }
  void at(source_location where) {
    where_ = where;
    build_.at(where);
  }

  /// The instruction that defines a register; null for one that is assigned more than once.
  const ptx::instruction* definition_of(std::uint32_t reg) {
    const auto& body = fn().body;
    definitions_.resize(fn().registers.size(), unseen);
    for (; scanned_ < body.size(); ++scanned_) {
      const ptx::instruction& i = body[scanned_];
      if (i.operand_count == 0 || !i[0].is_reg() || ptx::result_count(i) == 0) continue;
      std::uint32_t& at = definitions_[i[0].id];
      at = at == unseen ? static_cast<std::uint32_t>(scanned_) : several;
    }
    return definitions_[reg] >= several ? nullptr : &body[definitions_[reg]];
  }

  analysis::block_extent block;
  std::vector<access> accesses;
  std::vector<loop_counter> counters;
  std::vector<std::int64_t> parameter_divisors;

 private:
  static constexpr std::uint32_t several = 0xfffffffe;
  static constexpr std::uint32_t unseen = 0xffffffff;

  static tracer*& active() {
    static thread_local tracer* instance = nullptr;
    return instance;
  }

  [[noreturn]] static void not_recording(source_location where) {
    throw error(code{121}, "a device value was used outside a kernel",
                "values, views and tiles exist only while tg records the kernel's lambda", where);
  }

  ptx::builder build_;
  tracer* outer_;
  source_location where_;
  std::vector<std::uint32_t> definitions_;
  std::size_t scanned_ = 0;
};

}  // namespace tg::detail
