// Appends instructions to a function, each with the C++ line that asked for it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <tg/base/source_location.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::ptx {

/// Cursor at the end of one function of a module.
class builder {
 public:
  builder(module& m, std::uint32_t function_index) : module_(m), index_(function_index) {}

  module& mod() { return module_; }
  function& fn() { return module_.functions[index_]; }

  /// The line that instructions from here on belong to.
  void at(source_location where) {
    if (!where.is_known()) return;
    if (where.file != last_file_) {
      last_file_ = where.file;
      last_index_ = module_.to_file(where.file);
    }
    where_ = {last_index_, static_cast<std::uint32_t>(where.line)};
  }
  location where() const { return where_; }

  /// Appends and returns the instruction; valid until the next one.
  instruction& emit(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> operands) {
    instruction& added = fn().body.emplace_back(op, tokens, operands);
    added.where = where_;
    return added;
  }

  instruction& emit(const operation& what, std::initializer_list<operand> operands) {
    instruction& added = fn().body.emplace_back(what, operands);
    added.where = where_;
    return added;
  }

  /// A new register of `type` holding the result of `op.tokens type, operands...`.
  operand compute(token type, opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> sources) {
    const operand result = operand::reg(fn().new_register(type));
    instruction& added = emit(op, tokens, {result});
    for (const operand& source : sources) added.add(source);
    return result;
  }

 private:
  module& module_;
  std::uint32_t index_;
  location where_;
  const char* last_file_ = nullptr;
  std::uint32_t last_index_ = 0;
};

}  // namespace tg::ptx
