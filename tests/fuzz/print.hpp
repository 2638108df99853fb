// A random kernel as PTX: k(.u64 memory), where thread t owns `thread_bytes` from memory + t * thread_bytes.
#pragma once

#include <string>

#include "program.hpp"

namespace fuzz {

class printer {
 public:
  std::string operator()(const program& p) {
    text_ = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 memory)\n{\n";
    for (const register_class& c : classes)
      line(std::string(".reg .") + c.bits + " %" + c.name + "<" + std::to_string(c.count) + ">;");
    line(".reg .b32 %n<4>; .reg .b32 %trip<60>; .reg .pred %more; .reg .b64 %at, %base; .reg .b16 %w;");
    line("mov.u32 %n0, %ctaid.x; mov.u32 %n1, %ntid.x; mov.u32 %n2, %tid.x; mad.lo.u32 %n0, %n0, %n1, %n2;");
    line("ld.param.u64 %base, [memory]; mad.wide.u32 %at, %n0, " + std::to_string(thread_bytes) + ", %base;");
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
    return std::string(is_load && s.is_signed ? "s" : is_load ? "u" : "b") + std::to_string(8 * s.width_bytes);
  }

  void block(const std::vector<statement>& statements) {
    for (const statement& s : statements) print(s);
  }

  void print(const statement& s) {
    const std::string where = "[%at+" + std::to_string(register_count * 8 + s.offset_bytes) + "]";
    const std::string own = operand(s.result);
    switch (s.what) {
      case statement::kind::compute: {
        std::string out = guard(s) + s.op->text + " " + own;
        for (std::size_t k = 1; s.op->shape[k] != 0; ++k) out += ", " + operand(s.sources[k - 1]);
        return line(out + ";");
      }
      case statement::kind::store:
        return line(guard(s) + "st.global." + memory_type(s, false) + " " + where + ", " + own + ";");
      case statement::kind::load:
        return line(guard(s) + "ld.global." + memory_type(s, true) + " " + own + ", " + where + ";");
      case statement::kind::leave:
        return line(guard(s) + "exit;");
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
        line("add.u32 " + counter + ", " + counter + ", 1; setp.lt.u32 %more, " + counter + ", " +
             std::to_string(s.trips) + "; @%more bra loop" + label + ";");
        return;
      }
    }
  }

  std::string text_;
  int labels_ = 0;
  int loops_ = 0;
};

}  // namespace fuzz
