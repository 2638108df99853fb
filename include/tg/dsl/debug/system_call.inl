// Declares a function of the driver, puts its arguments where it finds them, and calls it.
#pragma once

#include <tg/dsl/debug/system_call.hpp>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

class recorded_call {
 public:
  recorded_call() : t_(tracer::current()), m_(t_.recorded().mod()) {}

  /// A variable of the kernel in `space`, one per call.
  ptx::operand local(ptx::token space, ptx::token type, const char* name, std::int64_t count = 0) {
    auto& locals = t_.recorded().fn().locals;
    const auto id = static_cast<std::uint32_t>(locals.size());
    ptx::variable& added = locals.emplace_back();
    added.space = space;
    added.type = type;
    added.count = count;
    if (count != 0) added.align = 8;
    added.name = name + std::to_string(id);
    return ptx::operand::named(ptx::operand_kind::local, id);
  }

  /// The address of a text in global memory, where equal ones are one.
  ptx::operand text(std::string_view text) {
    dynamic_array<std::byte> bytes(text.size() + 1);
    std::memcpy(bytes.data(), text.data(), text.size());
    auto& variables = m_.variables;
    std::uint32_t id = 0;
    while (id < variables.size() && (variables[id].space != ptx::token::global || variables[id].initial != bytes)) ++id;
    if (id == variables.size()) {
      ptx::variable& added = variables.emplace_back();
      added.space = ptx::token::global;
      added.type = ptx::token::b8;
      added.count = static_cast<std::int64_t>(bytes.size());
      added.name = "text" + std::to_string(id);
      added.initial = std::move(bytes);
    }
    return generic(ptx::token::global, ptx::operand::named(ptx::operand_kind::variable, id));
  }

  ptx::operand generic(ptx::token space, ptx::operand variable) {
    const ptx::operand own = t_.copy(ptx::token::b64, ptx::token::u64, variable);
    return t_.compute(ptx::token::b64, ptx::opcode::cvta, {space, ptx::token::u64}, {own});
  }

  void operator()(const char* name, dynamic_array<ptx::token> results, dynamic_array<printed_value> arguments) {
    dynamic_array<ptx::operand> out, in;
    for (const ptx::token type : results) out.push_back(local(ptx::token::param, type, "result"));
    for (const printed_value& a : arguments) {
      in.push_back(local(ptx::token::param, a.type, "argument"));
      t_.store({ptx::token::param, a.type}, ptx::operand::address(in.back()), a.operand);
    }
    const ptx::operand callee = declared(name, results, arguments);
    t_.emit(ptx::opcode::call, {}, {t_.new_vector(out.data(), out.size()), callee, t_.new_vector(in.data(), in.size())});
  }

 private:
  ptx::operand declared(const char* name, const dynamic_array<ptx::token>& results,
                        const dynamic_array<printed_value>& arguments) {
    std::uint32_t id = 0;
    while (id < m_.functions.size() && m_.functions[id].name != name) ++id;
    if (id == m_.functions.size()) {
      ptx::function& added = m_.functions.emplace_back();
      added.name = name;
      added.is_entry = false;
      added.is_external = true;
      const auto parameter = [&](const char* kind, std::size_t k, ptx::token type) {
        ptx::variable out;
        out.type = type;
        out.name = std::string(name) + kind + std::to_string(k);
        return out;
      };
      for (std::size_t k = 0; k < results.size(); ++k) added.results.push_back(parameter("_result_", k, results[k]));
      for (std::size_t k = 0; k < arguments.size(); ++k) added.params.push_back(parameter("_param_", k, arguments[k].type));
    }
    return ptx::operand::named(ptx::operand_kind::function, id);
  }

  tracer& t_;
  ptx::module& m_;
};

TG_LIBRARY_FUNCTION void record_printf(std::string_view format, const printed_value* values, std::size_t count) {
  recorded_call call;
  ptx::operand list = ptx::operand::integer(0);
  if (count != 0) {
    std::int64_t bytes = 0;
    dynamic_array<std::int64_t> offsets;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t size = values[k].type == ptx::token::u32 ? 4 : 8;
      bytes = (bytes + size - 1) / size * size;
      offsets.push_back(bytes);
      bytes += size;
    }
    const ptx::operand space = call.local(ptx::token::local, ptx::token::b8, "printed", bytes);
    for (std::size_t k = 0; k < count; ++k)
      tracer::current().store({ptx::token::local, values[k].type}, ptx::operand::address(space, offsets[k]), values[k].operand);
    list = call.generic(ptx::token::local, space);
  }
  call("vprintf", {ptx::token::b32}, {{call.text(format), ptx::token::b64}, {list, ptx::token::b64}});
}

TG_LIBRARY_FUNCTION void record_assertion(std::string_view message, source_location where) {
  recorded_call call;
  const auto wide = [](ptx::operand o) { return printed_value{o, ptx::token::b64}; };
  const std::string kernel = tracer::current().recorded().fn().name;
  call("__assertfail", {},
       {wide(call.text(message)),
        wide(call.text(where.file)),
        {ptx::operand::integer(where.line), ptx::token::b32},
        wide(call.text(kernel)),
        wide(ptx::operand::integer(1))});
}

}  // namespace tg::detail
