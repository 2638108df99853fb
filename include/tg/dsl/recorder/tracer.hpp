// The kernel that is being recorded on this thread, as the values of the language see it: they append, and what is
// recorded (tape.hpp) stays behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <tg/base/source_location.hpp>
#include <tg/dsl/recorder/access.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/operation.hpp>

namespace tg::detail {

class tape;

/// What a linker names first where no source file of a program includes <tg/library.hpp>.
extern const char include_tg_library_hpp_in_one_source_file;
[[gnu::used]] inline const char* const wanted_of_library = &include_tg_library_hpp_in_one_source_file;

/// Where the lanes that record it go on.
enum class jump { break_, continue_, return_ };

/// A counted loop: its counter goes from `start` in steps while it is below `stop`, or above it where `is_downward`.
struct counted_loop {
  ptx::token registers{}, type{};
  ptx::operand start{}, stop{}, step{};
  bool is_downward = false;
  bool is_guarded = true;          // there may be no turn
  std::int64_t downward_jump = 0;  // how far an unsigned counter goes down at a time, where that is known and more than 1
  int at_once = 0;                 // turns for one test; 0: the passes decide
  ptx::operand counter{};          // of `begin_loop`
};

/// Where device values append their instructions while a kernel's lambda runs.
class tracer {
 public:
  using tokens = std::initializer_list<ptx::token>;
  using operands = std::initializer_list<ptx::operand>;

  explicit tracer(tape& t) : tape_(t), outer_(exchange_active(this)) {}
  tracer(const tracer&) = delete;
  tracer& operator=(const tracer&) = delete;
  ~tracer() { exchange_active(outer_); }

  /// The recording in progress. Errors: TG121 when device values are used outside a kernel.
  static tracer& current(source_location where = {});

  /// What is recorded; its type is that of tape.hpp.
  tape& recorded() { return tape_; }

  /// The recording in progress, in which the statement on this line begins. Errors: TG121.
  static tracer& begin(source_location where);

  /// The line of the last statement that was recorded.
  source_location where() const;
  /// The statement on this line begins.
  void at(source_location where);

  ptx::operand new_register(ptx::token type);
  /// So many new registers, each of them given `x` by a move of type `move`.
  void new_registers(ptx::operand* out, int count, ptx::token type, ptx::token move, const ptx::operand& x);
  ptx::operand new_vector(const ptx::operand* parts, std::size_t count);
  /// A new register of `type` holding the result of `op.tokens type, sources...`.
  ptx::operand compute(ptx::token type, ptx::opcode op, tokens tokens, operands sources);
  ptx::operand compute(ptx::token type, const ptx::operation& what, operands sources);
  void emit(ptx::opcode op, tokens tokens, operands operands);
  void emit(const ptx::operation& what, operands operands) {
    emit(what.op, {what.tokens[0], what.tokens[1], what.tokens[2]}, operands);
  }
  /// A new register of type `reg` that holds `source`, read as a `type`.
  ptx::operand copy(ptx::token reg, ptx::token type, const ptx::operand& source) {
    return compute(reg, ptx::operation::copy(type), {source});
  }
  /// A predicate: whether a 32-bit number is not 0.
  ptx::operand is_not_zero(const ptx::operand& number) {
    return compute(ptx::token::pred, ptx::operation::compare(ptx::token::ne, ptx::token::u32),
                   {number, ptx::operand::integer(0)});
  }
  /// Writes `source`, read as a `type`, to a register, or to the parts of a vector.
  void assign(ptx::token type, const ptx::operand& to, const ptx::operand& source) {
    emit(ptx::operation::copy(type), {to, source});
  }
  /// Assignments to `registers`, a vector, stand in front of what is recorded next.
  void settle(const ptx::operand& registers);
  /// What memory holds at `from`, in a new register of type `reg`. `how`: the state space, and the type last.
  ptx::operand load(ptx::token reg, tokens how, const ptx::operand& from) { return compute(reg, ptx::opcode::ld, how, {from}); }
  /// Loads into a register or a vector and remembers the verdict.
  void load(tokens how, const ptx::operand& into, const ptx::operand& from, const access& entry) {
    emit_access(ptx::opcode::ld, how, {into, from}, entry);
  }
  void store(tokens how, const ptx::operand& to, const ptx::operand& source) { emit(ptx::opcode::st, how, {to, source}); }
  /// Stores a register or a vector and remembers the verdict.
  void store(tokens how, const ptx::operand& to, const ptx::operand& source, const access& entry) {
    emit_access(ptx::opcode::st, how, {to, source}, entry);
  }
  /// Emits an access to memory and remembers its verdict.
  void emit_access(ptx::opcode op, tokens tokens, operands operands, const access& entry);
  /// How many instructions and assignments were recorded so far.
  std::uint32_t recorded_count() const;
  /// Whether what was recorded since the innermost open loop began does more than compute.
  bool loop_has_effect() const;
  /// The reads that only the chosen operand of `result`, a selection, needs are made only where it is chosen.
  void guard_reads_of(const ptx::operand& result);
  /// Errors: TG137 when memory was written, or read in an order, since the expression `condition` was evaluated.
  void require_no_effect_since(const ptx::operand& condition) const;
  /// One more operand for the last instruction.
  void append(const ptx::operand& o);
  /// The last instruction, an `endif`, goes.
  void take_back();

  /// A branch begins.
  void begin_branch(const ptx::operand& condition);
  /// The branch or its first arm has ended; one more arm has where `is_else`.
  void end_branch(bool is_else);
  /// A counted loop begins. Returns: the counter, as the statements of one turn see it.
  ptx::operand begin_loop(counted_loop& loop);
  /// The statements of one turn have ended.
  void end_loop(const counted_loop& loop);
  /// The statements of an arm or of a loop follow.
  void open_body(bool is_loop);
  /// They end.
  void close_body();
  /// How often an object of the program was changed since `new_changes`, and on which line last.
  struct changes {
    std::uint32_t count = 0;
    source_location where;
  };
  /// An object whose changes are counted. Returns: its number in this recording, 1 or more.
  std::uint32_t new_changes();
  /// The changes of object `number`. Errors: TG121 where it belongs to another recording.
  changes& changes_of(std::uint32_t number);

  /// Which lanes come back, of the loop whose body was closed last: a value; no register where all do that its condition
  /// lets.
  ptx::operand coming_back();
  /// Whether that body has break_ or return_.
  bool is_left() const;
  /// A tg::switch_ begins. Returns: its number.
  std::uint32_t new_switch();
  /// Errors: TG186 where the switch has the label already.
  void add_label(std::uint32_t of, long long label, source_location where);
  /// Errors: TG182 outside of a loop, TG183.
  void leave(jump j, source_location where);

  /// A parameter of the kernel, loaded into a register of type `reg`; its value is a multiple of `divisor`.
  ptx::operand load_parameter(ptx::token reg, ptx::token type, long long divisor = 1);
  /// The variable of a tile in shared memory.
  ptx::operand new_tile(std::int64_t bytes);
  /// A tile of fixed size begins at a multiple of `bytes`, a power of two that its own size is a multiple of.
  void align_tile(const ptx::operand& variable, std::int64_t bytes);
  /// An extent of a tile whose size the launch decides.
  struct tile_extent {
    ptx::operand size;
    std::int64_t divisor = 1;  // size % divisor == remainder
    std::int64_t remainder = 0;
  };
  /// The address of a tile in shared memory that has `element_bytes` times its extents.
  /// Errors: TG164 for an extent that is not made of scalar parameters and numbers.
  ptx::operand new_sized_tile(std::int64_t element_bytes, std::initializer_list<tile_extent> extents);
  /// The variable `name`, which holds `count` numbers in constant memory; made once per module.
  ptx::operand constant_variable(const char* name, ptx::token type, std::size_t count, const void* numbers, std::size_t bytes);
  /// The lanes of a warp that come by hold one number in `x`, a multiple of `multiple`.
  void assume_uniform(const ptx::operand& x, long long multiple, bool is_signed);
  /// `reg` counts from `start` on in multiples of `step`.
  void add_counter(const ptx::operand& reg, const ptx::operand& start, const ptx::operand& step);

 private:
  /// Makes `t` the recording in progress on this thread. Returns: the one before.
  static tracer* exchange_active(tracer* t);
  void before_statement(ptx::opcode op);
  void open_rest();
  void set(const ptx::operand& flag, bool to);
  ptx::operand read(const ptx::operand& flag);
  ptx::operand new_flag(std::size_t body);

  tape& tape_;
  tracer* outer_;
};

/// A new register of `type` holding the result of `op.modifier.own a, b`, in less code at the place of the call than
/// `tracer::compute`.
ptx::operand compute_two(ptx::token type, ptx::opcode op, ptx::token modifier, ptx::token own, const ptx::operand& a,
                         const ptx::operand& b);

}  // namespace tg::detail
