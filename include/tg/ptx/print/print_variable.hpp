// Declarations of variables and parameters as text.
#pragma once

#include <algorithm>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/print/print_text.hpp>

namespace tg::ptx::detail {

class variable_printer {
 public:
  variable_printer(const module& m, text_out& out) : module_(m), out_(out) {}

  /// `(.param .b32 a, .param .align 8 .b8 b[16])`; a parameter without a name is one of a prototype.
  void put_parameters(const dynamic_array<variable>& list, bool one_per_line) {
    out_.put('(');
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_.put(one_per_line ? "," : ", ");
      if (one_per_line) {
        out_.end_line();
        out_.put('\t');
      }
      out_.put(".param ");
      type_and_name(list[i]);
    }
    if (one_per_line && !list.empty()) out_.end_line();
    out_.put(')');
  }

  void put_local(const variable& v) {
    out_.put('\t');
    declaration(v);
    out_.put_line(';');
  }

  void put_module_variable(const variable& v) {
    if (v.external) out_.put(".extern ");
    if (v.weak) out_.put(".weak ");
    if (v.visible) out_.put(".visible ");
    declaration(v);
    if (!v.initial.empty()) initial(v);
    out_.put_line(';');
  }

 private:
  void declaration(const variable& v) {
    out_.put('.');
    out_.put(name(v.space));
    out_.put(v.managed ? " .attribute(.managed) " : " ");
    type_and_name(v);
  }

  void type_and_name(const variable& v) {
    if (v.align != 0) {
      out_.put(".align ");
      out_.put_number(v.align);
      out_.put(' ');
    }
    out_.put('.');
    out_.put(name(v.type));
    out_.put(' ');
    out_.put_name(v.name.empty() ? "_x" : std::string_view(v.name));
    if (v.count > 0) {
      out_.put('[');
      out_.put_number(v.count);
      out_.put(']');
    } else if (v.count < 0) {
      out_.put("[]");
    }
  }

  void initial(const variable& v) {
    const std::size_t width = static_cast<std::size_t>(std::max(8, width_bits(v.type)) / 8);
    out_.put(v.count != 0 ? " = {" : " = ");
    auto address = v.relocations.begin();
    for (std::size_t at = 0; at < v.initial.size(); at += width) {
      if (at != 0) out_.put(", ");
      const auto begin = [&] { return static_cast<std::size_t>(address->offset); };
      while (address != v.relocations.end() && begin() + 8 <= at) ++address;
      if (address != v.relocations.end() && begin() <= at) relocated(*address, at - begin(), width);
      else number(v, at, width);
    }
    if (v.count != 0) out_.put('}');
  }

  void number(const variable& v, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < width && b < 8 && at + b < v.initial.size(); ++b)
      value |= std::to_integer<std::uint64_t>(v.initial[at + b]) << (8 * b);
    if (is_float(v.type)) {
      out_.put(width == 4 ? "0f" : "0d");
      out_.put_hex(value, static_cast<int>(2 * width));
    } else {
      out_.put_number(value);
    }
  }

  /// The address itself in an element of 8 bytes, one byte of it, `0xFF00(name)`, in one of a byte.
  void relocated(const variable::relocation& r, std::size_t byte, std::size_t width) {
    if (width == 1) {
      out_.put("0xFF");
      for (std::size_t i = 0; i < byte; ++i) out_.put("00");
      out_.put('(');
    }
    if (r.generic) out_.put("generic(");
    out_.put_name(r.target.is(operand_kind::function) ? module_.functions[r.target.id].name
                                                      : module_.variables[r.target.id].name);
    if (r.generic) out_.put(')');
    if (r.target.value > 0) out_.put('+');
    if (r.target.value != 0) out_.put_number(r.target.value);
    if (width == 1) out_.put(')');
  }

  const module& module_;
  text_out& out_;
};

}  // namespace tg::ptx::detail
