// A random kernel as PTX: k(.u64 memory), where thread t owns `thread_bytes` from memory + t * thread_bytes.
#pragma once

#include <string>

#include "atomics.hpp"
#include "program.hpp"

namespace fuzz {

class printer {
 public:
  std::string operator()(const program& p) {
    text_ = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (std::size_t k = 0; k < p.functions.size(); ++k) function(static_cast<int>(k), p.functions[k]);
    in_function_ = -1;
    const std::string threads = std::to_string(p.threads()), shared = std::to_string(p.threads() * slice_bytes),
                      slice = std::to_string(slice_bytes);
    text_ += ".visible .entry k(.param .u64 memory)\n{\n";
    declare();
    line(".reg .b32 %n<6>, %sh, %lo; .reg .b64 %at, %base, %gl, %gs, %go, %ax, %all; .reg .b16 %w;");
    line(".shared .align 16 .b8 own[" + shared + "]; .shared .align 16 .b8 tile[" + std::to_string(p.threads() * 4) +
         "]; .local .align 16 .b8 depot[" + slice + "];");
    line("mov.u32 %n0, %tid.z; mov.u32 %n1, %ntid.y; mov.u32 %n2, %tid.y; mad.lo.u32 %n2, %n0, %n1, %n2;");
    line("mov.u32 %n0, %ntid.x; mov.u32 %n1, %tid.x; mad.lo.u32 %n2, %n2, %n0, %n1;");
    line("mov.u32 %n0, %ctaid.x; mad.lo.u32 %n0, %n0, " + threads + ", %n2;");
    line("ld.param.u64 %base, [memory]; mad.wide.u32 %at, %n0, " + std::to_string(thread_bytes) + ", %base;");
    line("add.u64 %gl, %at, " + std::to_string(register_count * 8) + "; add.u64 %all, %base, " +
         std::to_string(2 * p.threads() * thread_bytes) + ";");
    line("mov.u32 %sh, own; mad.lo.u32 %sh, %n2, " + slice + ", %sh; mov.u32 %lo, depot;");
    line("cvt.u64.u32 %gs, %sh; cvta.shared.u64 %gs, %gs; mov.u64 %go, depot; cvta.local.u64 %go, %go;");
    line("mov.u64 %ax, 0; mov.u32 %n1, tile; mad.lo.u32 %n1, %n2, 4, %n1;");
    for (int at = 0; at < slice_bytes; at += 16) {
      const std::string offset = "+" + std::to_string(at) + "], {%ax, %ax}; ";
      line("st.shared.v2.u64 [%sh" + offset + "st.local.v2.u64 [depot" + offset);
    }
    for (const register_class& c : classes)
      for (int k = 0; k < c.count; ++k) move_register(c, k, true);
    block(p.body);
    for (const register_class& c : classes)
      for (int k = 0; k < c.count; ++k) move_register(c, k, false);
    line("ret;");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& s) { text_ += s + "\n"; }

  static std::string reg(char name, int number) { return std::string("%") + name + std::to_string(number); }

  void declare() {
    for (const register_class& c : classes)
      line(std::string(".reg .") + c.bits + " %" + c.name + "<" + std::to_string(c.count) + ">;");
    line(".reg .b32 %trip<90>; .reg .pred %more;");
  }

  void function(int number, const std::vector<statement>& body) {
    in_function_ = number;
    const std::string name = std::to_string(number);
    text_ += ".func (.param .b32 out) f" + name + "(.param .b32 a, .param .b32 b)\n{\n";
    declare();
    for (const register_class& c : classes)
      for (int k = 0; k < c.count; ++k)
        line(std::string("mov.") + c.bits + " " + reg(c.name, k) + ", " + (c.name == 'f' || c.name == 'd' ? "0.0;" : "0;"));
    line("ld.param.b32 %r0, [a]; ld.param.b32 %r1, [b];");
    block(body);
    line("done" + name + ": st.param.b32 [out], %r0; ret;");
    text_ += "}\n";
  }

  void move_register(const register_class& c, int k, bool is_load) {
    const std::string where = "[%at+" + std::to_string(8 * index_of(c.name, k)) + "]", own = reg(c.name, k);
    if (c.name == 'p' && is_load) return line("ld.global.u16 %w, " + where + "; setp.ne.u16 " + own + ", %w, 0;");
    if (c.name == 'p') return line("selp.u16 %w, 1, 0, " + own + "; st.global.u16 " + where + ", %w;");
    if (is_load) return line(std::string("ld.global.") + c.type + " " + own + ", " + where + ";");
    line(std::string("st.global.") + c.type + " " + where + ", " + own + ";");
  }

  static std::string operand(const value& v) {
    return v.register_class == 0 ? std::to_string(v.bits) : reg(v.register_class, v.number);
  }

  static std::string guard(const statement& s) {
    return s.guard < 0 ? "" : std::string("@") + (s.guard_negated ? "!" : "") + reg('p', s.guard) + " ";
  }

  static std::string memory_type(const statement& s, bool is_load) {
    const char name = s.result.register_class;
    if (name == 'f' || name == 'd') return class_of(name).type;
    return std::string(is_load && s.is_signed ? "s" : is_load ? "u" : "b") + std::to_string(8 * s.width_bytes);
  }

  static std::string space_of(const statement& s) {
    if (s.is_generic) return "";
    return s.where == space::global ? ".global" : s.where == space::shared ? ".shared" : ".local";
  }

  /// The operand that names the place; a picked one is computed first.
  std::string place(const statement& s) {
    const bool is_wide = s.is_generic || s.where == space::global;
    const std::string base = s.where == space::global   ? "%gl"
                             : s.where == space::shared ? (is_wide ? "%gs" : "%sh")
                                                        : (is_wide ? "%go" : "%lo");
    if (s.index < 0) return "[" + base + "+" + std::to_string(s.offset_bytes) + "]";
    const int bytes = s.width_bytes * s.elements;
    line("and.b32 %n3, " + reg('r', s.index) + ", " + std::to_string(slice_bytes / bytes - 1) + "; mul.lo.u32 %n3, %n3, " +
         std::to_string(bytes) + ";");
    line(is_wide ? "cvt.u64.u32 %ax, %n3; add.u64 %ax, %ax, " + base + ";" : "add.u32 %n3, %n3, " + base + ";");
    return is_wide ? "[%ax]" : "[%n3]";
  }

  static std::string elements(const statement& s) {
    if (s.elements == 1) return operand(s.result);
    std::string out = "{";
    for (int k = 0; k < s.elements; ++k)
      out +=
          (k == 0 ? "" : ", ") + reg(s.result.register_class, (s.result.number + k) % class_of(s.result.register_class).count);
    return out + "}";
  }

  void block(const std::vector<statement>& statements) {
    for (const statement& s : statements) print(s);
  }

  void collective(const statement& s) {
    const std::string to = operand(s.result), a = operand(s.sources[0]), b = operand(s.sources[1]), mask = ", 0xffffffff;";
    const auto shuffle = [&](const char* how, int clamp) {
      line(std::string("shfl.sync.") + how + ".b32 " + to + ", " + a + ", " + b + ", " +
           std::to_string((32 - (32 >> s.which)) << 8 | clamp) + mask);
    };
    const auto simple = [&](const std::string& what) { line(what + " " + to + ", " + a + mask); };
    switch (s.how) {
      case together::shuffle_idx: return shuffle("idx", 31);
      case together::shuffle_up: return shuffle("up", 0);
      case together::shuffle_down: return shuffle("down", 31);
      case together::shuffle_bfly: return shuffle("bfly", 31);
      case together::all: return simple("vote.sync.all.pred");
      case together::any: return simple("vote.sync.any.pred");
      case together::uni: return simple("vote.sync.uni.pred");
      case together::ballot: return simple("vote.sync.ballot.b32");
      case together::match: return simple("match.any.sync.b32");
      case together::redux_add: return simple("redux.sync.add.u32");
      case together::redux_min: return simple("redux.sync.min.s32");
      case together::redux_max: return simple("redux.sync.max.u32");
      case together::redux_xor: return simple("redux.sync.xor.b32");
      case together::pass_on:
        line("st.shared.b32 [%n1], " + a + "; add.u32 %n4, %n2, " + std::to_string(1 + s.which * 7) + ";");
        line("mov.u32 %n5, %ntid.x; mov.u32 %n3, %ntid.y; mul.lo.u32 %n5, %n5, %n3; mov.u32 %n3, %ntid.z;");
        line("mul.lo.u32 %n5, %n5, %n3; rem.u32 %n4, %n4, %n5; mov.u32 %n5, tile; mad.lo.u32 %n4, %n4, 4, %n5;");
        return line("bar.sync 0; ld.shared.b32 " + to + ", [%n4]; bar.sync 0;");
      case together::count: return line("bar.red.popc.u32 " + to + ", 0, " + a + ";");
      case together::block_or: return line("bar.red.or.pred " + to + ", 0, " + a + ";");
      case together::block_and: return line("bar.red.and.pred " + to + ", 0, " + a + ";");
    }
  }

  void print(const statement& s) {
    const std::string own = operand(s.result);
    switch (s.what) {
      case statement::kind::compute: {
        std::string out = guard(s) + s.op->text + " " + own;
        for (std::size_t k = 1; s.op->shape[k] != 0; ++k) out += ", " + operand(s.sources[k - 1]);
        return line(out + ";");
      }
      case statement::kind::store:
      case statement::kind::load: {
        const bool is_load = s.what == statement::kind::load;
        const std::string where = place(s);
        const std::string vector = s.elements == 1 ? "." : ".v" + std::to_string(s.elements) + ".";
        return line(guard(s) + (is_load ? "ld" : "st") + space_of(s) + vector + memory_type(s, is_load) + " " +
                    (is_load ? elements(s) + ", " + where : where + ", " + elements(s)) + ";");
      }
      case statement::kind::atomic: {
        const atomic_operation& a = atomics[s.which];
        const std::string where = place(s);
        return line(guard(s) + "atom" + space_of(s) + "." + a.text + " " + own + ", " + where + ", " + operand(s.sources[0]) +
                    (a.sources == 2 ? ", " + operand(s.sources[1]) : "") + ";");
      }
      case statement::kind::add_to_all: {
        static constexpr const char* how[] = {"add.u32 [%all], ", "xor.b32 [%all+4], ", "add.u64 [%all+8], "};
        return line(guard(s) + "red.global." + how[s.which] + operand(s.sources[0]) + ";");
      }
      case statement::kind::special:
        return line(guard(s) + "mov.u32 " + own + ", %" + specials[static_cast<std::size_t>(s.which)] + ";");
      case statement::kind::collective: return collective(s);
      case statement::kind::call:
        line("{ .param .b32 x; .param .b32 y; .param .b32 z; st.param.b32 [x], " + operand(s.sources[0]) +
             "; st.param.b32 [y], " + operand(s.sources[1]) + ";");
        return line("call (z), f" + std::to_string(s.which) + ", (x, y); ld.param.b32 " + own + ", [z]; }");
      case statement::kind::leave:
        return line(guard(s) + (in_function_ < 0 ? "exit;" : "bra done" + std::to_string(in_function_) + ";"));
      case statement::kind::branch: {
        const std::string label = std::to_string(labels_++);
        statement skip = s;
        skip.guard_negated = !s.guard_negated;
        line(guard(skip) + "bra other" + label + ";");
        block(s.then);
        line("bra end" + label + ";");
        line("other" + label + ":");
        block(s.otherwise);
        return line("end" + label + ":");
      }
      case statement::kind::loop: {
        const std::string label = std::to_string(labels_++), counter = "%trip" + std::to_string(loops_++);
        line("mov.u32 " + counter + ", 0;");
        line("loop" + label + ":");
        block(s.then);
        line("add.u32 " + counter + ", " + counter + ", 1; setp.lt.u32 %more, " + counter + ", " + std::to_string(s.trips) +
             "; @%more bra loop" + label + ";");
        return;
      }
    }
  }

  std::string text_;
  int labels_ = 0;
  int loops_ = 0;
  int in_function_ = -1;
};

}  // namespace fuzz
