// The list of a function's parameters or results.
#pragma once

#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/parse/parse_operand.hpp>
#include <tg/ptx/parse/parse_variable.hpp>

namespace tg::ptx::detail {

/// Whose list it is.
enum class parameters { of_kernel, of_function, results };

class parameter_list {
 public:
  parameter_list(lexer& in, declarations& d) : in_(in), declarations_(d) {}

  /// `(.param .b32 a, .param .align 8 .b8 b[16])`
  void operator()(dynamic_array<variable>& out, parameters kind) {
    in_.expect("(");
    while (!in_.peek().is(")")) {
      const bool is_register = kind != parameters::of_kernel && in_.accept_dotted("reg");
      if (!is_register && !in_.accept_dotted("param")) in_.fail(syntax_error, "'.param' expected");
      const declarations::typed t = declarations_.type();
      if (is_register && width_bits(t.type) < 8) in_.fail(unsupported, "a predicate as a parameter", "pass it as .param");
      const word at = in_.peek();
      variable v = declarations_.declarator(t, is_register ? token::reg : token::none);
      if (!is_register) require_no_vector(t, v, at);
      if (declarations_.dimension_count() > (is_register ? 0u : 1u) + (t.lanes > 1 ? 1u : 0u))
        in_.fail_at(at, wrong_declaration,
                    "parameter '" + v.name + "' is an array " + (is_register ? "of registers" : "of arrays"),
                    is_register ? "pass it as .param" : "write its extents as one product");
      if (v.count < 0 && kind != parameters::of_function)
        in_.fail_at(at, wrong_declaration, "parameter '" + v.name + "' has no size", "give its extent");
      out.push_back(std::move(v));
      if (out.size() > operand_parser::max_list)
        in_.fail(too_large, "more than " + std::to_string(operand_parser::max_list) + " parameters");
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
  }

  /// A variable of .param space is no vector, but may be an array of the last declarator.
  void require_no_vector(const declarations::typed& t, const variable& v, const word& at) {
    const bool is_array = declarations_.dimension_count() > (t.lanes > 1 ? 1u : 0u);
    if (!is_array && (t.lanes > 1 || t.type == token::f16x2))
      in_.fail_at(at, wrong_declaration, "vector '" + v.name + "' in .param space", "declare an array with an alignment");
  }

 private:
  lexer& in_;
  declarations& declarations_;
};

}  // namespace tg::ptx::detail
