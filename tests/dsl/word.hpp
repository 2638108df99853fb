// Runs a kernel of a few words over random numbers, as PTX text on the emulator, or where TG_DEVICE=gpu asks for it on a GPU,
// and hands its text to all judges.
#pragma once

#include <unistd.h>

#include <cstdio>

#include "accuracy.hpp"

#include <cstring>

#include <tg/emulator/run/run.hpp>

#include "../gpu_machine.hpp"
#include "../random_seed.hpp"

namespace word {

template <class T> std::vector<T> random_words(std::size_t count) {
  static std::mt19937_64 random{random_seed()};
  std::vector<T> out = {T(0), T(1), static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  while (out.size() < count) out.push_back(static_cast<T>(random() >> (random() % (sizeof(T) * 8))));
  out.resize(count);
  return out;
}

/// Other numbers that follow from `x`, on the host and in a kernel alike.
template <class X> auto second(const X& x) { return x * 0x2545f491u + 0x1234567u; }
template <class X> auto third(const X& x) { return (x ^ 0x5bd1e995u) * 0x9e3779b1u; }

/// y = f(x) of single threads, compared with the host's, and the text before its judges.
template <class T, class R, class F, class Host> void check(F f, Host host) {
  const auto x = random_words<T>(600);
  const auto kernel = accuracy::lowered<T, R>(f);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  const auto y = accuracy::run<R>(kernel.ptx, x);
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (y[i] != static_cast<R>(host(x[i]))) {
      CAPTURE(x[i]);
      if (wrong++ < 3) CHECK(y[i] == static_cast<R>(host(x[i])));
    }
  CHECK(wrong == 0);
}

/// What the process writes to its standard output while `run` runs.
template <class F> std::string output_of(F run) {
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  std::FILE* const file = std::tmpfile();
  dup2(fileno(file), STDOUT_FILENO);
  run();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::string out(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  out.resize(std::fread(out.data(), 1, out.size(), file));
  std::fclose(file);
  return out;
}

/// Runs the only kernel of `ptx` on a GPU, whose driver prints to the standard output.
template <class... Arguments>
std::string launch_on_gpu(const std::string& ptx, unsigned blocks, const tg::fixed_array<std::uint32_t, 3>& threads,
                          Arguments&&... arguments) {
  gpu_machine::loaded machine(ptx);
  std::vector<std::uint64_t> at;
  const auto put = [&](const auto& x) {
    if constexpr (requires { x.data(); }) at.push_back(machine.add_memory(x.data(), x.size() * sizeof(x[0])));
    else machine.add_number(&x, sizeof x);
  };
  (put(arguments), ...);
  std::string printed = output_of([&] { machine.run({blocks}, {threads[0], threads[1], threads[2]}); });
  std::size_t buffer = 0;
  const auto get = [&]([[maybe_unused]] auto& x) {
    if constexpr (requires { x.data(); }) machine.read(at[buffer++], x.data(), x.size() * sizeof(x[0]));
  };
  (get(arguments), ...);
  return printed;
}

/// Runs the only kernel of `ptx` on the emulator under all checkers. A vector is a buffer, copied there and back; anything
/// else a scalar. Returns: what the kernel printed.
template <class... Arguments> std::string emulate(const std::string& ptx, unsigned blocks, Arguments&&... arguments) {
  tg::emulator::memory memory;
  const auto program = tg::emulator::program::load(ptx, memory);
  const auto& kernel = program->kernels().at(0);
  std::vector<std::byte> parameters(kernel.parameter_bytes);
  std::size_t next = 0;
  std::vector<std::uint64_t> at;
  const auto put = [&](const auto& x) {
    if constexpr (requires { x.data(); }) {
      const std::size_t bytes = x.size() * sizeof(x[0]);
      at.push_back(memory.allocate(bytes));
      std::memcpy(memory.at(at.back(), bytes), x.data(), bytes);
      std::memcpy(parameters.data() + kernel.parameters.at(next++).offset_bytes, &at.back(), 8);
    } else {
      std::memcpy(parameters.data() + kernel.parameters.at(next++).offset_bytes, &x, sizeof x);
    }
  };
  (put(arguments), ...);
  std::string printed;
  tg::emulator::options how;
  how.check = tg::emulator::check::checkers::all();
  how.on_printf = [&](std::string_view text) { printed += text; };
  const auto& threads = kernel.required_threads;
  tg::emulator::run(memory, *program, 0, {{blocks}, {threads[0], threads[1], threads[2]}}, parameters, how);
  std::size_t buffer = 0;
  const auto get = [&]([[maybe_unused]] auto& x) {
    if constexpr (requires { x.data(); })
      std::memcpy(x.data(), memory.at(at[buffer++], x.size() * sizeof(x[0])), x.size() * sizeof(x[0]));
  };
  (get(arguments), ...);
  return printed;
}

/// The same on a GPU, where one is asked for.
template <class... Arguments> std::string launch(const std::string& ptx, unsigned blocks, Arguments&&... arguments) {
  if (!gpu_machine::is_asked()) return emulate(ptx, blocks, arguments...);
  tg::emulator::memory memory;
  const auto threads = tg::emulator::program::load(ptx, memory)->kernels().at(0).required_threads;
  return launch_on_gpu(ptx, blocks, threads, arguments...);
}

/// All threads of `blocks` blocks of `Block` run `statements(block, x, y)`. Returns: y, as long as x, which starts as zeros.
template <class Block, class R, class T, class Statements>
std::vector<R> run(Statements statements, std::vector<T> x, unsigned blocks) {
  const auto kernel = tg::lower(
      tg::kernel<"words">(Block{}, [statements](auto block, tg::in<T> from, tg::out<R> to) { statements(block, from, to); }));
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<R> y(x.size());
  launch(kernel.ptx, blocks, x, y);
  return y;
}

/// Runs a kernel with a thread for each element of x.
template <class Block, class R, class T, class Statements> std::vector<R> run(Statements statements, std::vector<T> x) {
  const auto blocks = static_cast<unsigned>(x.size() / Block::threads);
  return run<Block, R>(statements, std::move(x), blocks);
}

/// Checks that the emulator objects to what `run` runs. A GPU does not, and what it writes is not defined: there it is not run.
template <class F> void check_is_objected(F run) {
  if (!gpu_machine::is_asked()) CHECK_THROWS_AS(run(), tg::error);
}

}  // namespace word
