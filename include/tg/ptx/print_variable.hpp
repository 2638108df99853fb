// Declarations of variables and parameters as text.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <tg/ptx/module.hpp>
#include <tg/ptx/print_text.hpp>
#include <tg/ptx/type.hpp>

namespace tg::ptx::detail {

class variable_printer {
 public:
  variable_printer(const module& m, text_out& out) : module_(m), out_(out) {}

  void parameters(const std::vector<variable>& list, bool one_per_line, bool named = true) {
    out_.put('(');
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_.put(one_per_line ? "," : ", ");
      if (one_per_line) {
        out_.end_line();
        out_.put('\t');
      }
      out_.put(".param ");
      type_and_name(list[i], named ? std::string_view(list[i].name) : "_x");
    }
    if (one_per_line && !list.empty()) out_.end_line();
    out_.put(')');
  }

  void type_and_name(const variable& v, std::string_view name) {
    if (v.align != 0) {
      out_.put(".align ");
      out_.put_number(v.align);
      out_.put(' ');
    }
    out_.put('.');
    out_.put(ptx::name(v.type));
    out_.put(' ');
    out_.put_name(name);
    if (v.count > 0) {
      out_.put('[');
      out_.put_number(v.count);
      out_.put(']');
    } else if (v.count < 0) {
      out_.put("[]");
    }
  }

  void module_variable(const variable& v) {
    if (v.external) out_.put(".extern ");
    if (v.weak) out_.put(".weak ");
    if (v.visible) out_.put(".visible ");
    out_.put('.');
    out_.put(ptx::name(v.space));
    out_.put(' ');
    if (v.managed) out_.put(".attribute(.managed) ");
    type_and_name(v, v.name);
    if (!v.initial.empty()) initializer(v);
    out_.put(';');
    out_.end_line();
  }


 private:
  void initializer(const variable& v) {
    const bool is_array = v.count != 0;
    const std::size_t width = static_cast<std::size_t>(std::max(1, width_bits(v.type) / 8));
    out_.put(is_array ? " = {" : " = ");
    auto relocation = v.relocations.begin();
    for (std::size_t at = 0; at < v.initial.size(); at += width) {
      if (at != 0) out_.put(", ");
      while (relocation != v.relocations.end() && static_cast<std::size_t>(relocation->offset) + 8 <= at) ++relocation;
      if (relocation != v.relocations.end() && static_cast<std::size_t>(relocation->offset) <= at) {
        put_relocation(*relocation, at - static_cast<std::size_t>(relocation->offset), width);
        continue;
      }
      std::uint64_t value = 0;
      for (std::size_t b = 0; b < width && at + b < v.initial.size(); ++b)
        value |= std::to_integer<std::uint64_t>(v.initial[at + b]) << (8 * b);
      if (is_float(v.type)) {
        out_.put(width == 4 ? "0f" : "0d");
        out_.put_hex(value, static_cast<int>(2 * width));
      } else {
        out_.put_number(value);
      }
    }
    if (is_array) out_.put('}');
  }

  void put_relocation(const variable::relocation& r, std::size_t byte, std::size_t width) {
    if (width == 1) {
      out_.put("0xFF");
      for (std::size_t i = 0; i < byte; ++i) out_.put("00");
      out_.put('(');
    }
    if (r.generic) out_.put("generic(");
    out_.put_name(r.target.kind == operand_kind::function ? module_.functions[r.target.id].name
                                                     : module_.variables[r.target.id].name);
    if (r.generic) out_.put(')');
    if (r.target.value != 0) {
      if (r.target.value > 0) out_.put('+');
      out_.put_number(r.target.value);
    }
    if (width == 1) out_.put(')');
  }


  const module& module_;
  text_out& out_;
};

}  // namespace tg::ptx::detail
