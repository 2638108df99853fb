// Barriers that some threads miss, mbarriers that are initialised twice, shuffles that read a lane which does not take part.
#pragma once

#include <unordered_map>

#include <tg/emulator/check/report.hpp>
#include <tg/emulator/launch/findings.hpp>

namespace tg::emulator::check {

class convergence {
 public:
  convergence(const machine& m, findings& found) : m_(m), found_(found) {}

  void finish(std::uint64_t block) { blocks_.erase(block); }

  /// Lanes end.
  void exits(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lanes) {
    block_state& s = blocks_[b.number];
    if (s.exit == nullptr) s.exit = &o, s.gone_thread = warp * 32 + static_cast<std::uint32_t>(std::countr_zero(lanes));
  }

  /// Lanes pass a barrier that opened; called for each part of the block.
  void passes(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lanes) {
    const barrier_use& use = m_.image.barriers[o.detail];
    if (use.has_count) return;
    block_state& s = blocks_[b.number];
    const std::uint32_t thread = warp * 32 + static_cast<std::uint32_t>(std::countr_zero(lanes));
    if (s.barrier == nullptr) {
      s.barrier = &o;
      s.thread = thread;
      if (s.exit != nullptr) exited_before(b, o, thread, s);
    } else if (s.barrier != &o && use.is_aligned && m_.image.barriers[s.barrier->detail].is_aligned &&
               !is_one_line(*s.barrier, o)) {
      different(b, o, thread, s);
    }
  }

  /// All lanes have passed.
  void opened(const block& b) { blocks_[b.number].barrier = nullptr; }

  /// Lane `source` is asked for its value and does not run the shuffle.
  void absent_lane(const block& b, const operation& o, std::uint32_t warp, std::uint32_t lane, std::uint32_t source) {
    found_.add({428, index(o), 0}, [&] {
      finding f = start_finding(m_, checker::sync, 428, site_of(m_, o, b.number, warp * 32 + lane));
      f.what = "Shuffle reads from an inactive lane";
      f.detail = "reads lane " + std::to_string(source) + ", which does not run the instruction; the value is undefined";
      f.fix = "name every lane that is read in the mask, and let it run the shuffle";
      return f;
    });
  }

  /// An mbarrier is initialised where one is already. Hardware begins anew, and threads that wait for the old one hang.
  void second_init(const block& b, const operation& o, std::uint32_t thread, std::uint32_t mbarrier) {
    found_.add({451, index(o), 0}, [&] {
      finding f = start_finding(m_, checker::sync, 451, site_of(m_, o, b.number, thread));
      f.what = "An mbarrier is initialised twice";
      f.detail = "initialises it again";
      f.has_address = true;
      f.address = mbarrier;
      f.bytes = 8;
      f.fix = "initialise it in one thread; run mbarrier.inval before the memory is used for another one";
      return f;
    });
  }

 private:
  struct block_state {
    const operation* exit = nullptr;  // the first one
    std::uint32_t gone_thread = 0;
    const operation* barrier = nullptr;  // that opens now
    std::uint32_t thread = 0;            // one that waited there
  };

  std::uint32_t index(const operation& o) const { return static_cast<std::uint32_t>(&o - m_.image.code.data()); }

  /// Copies of one barrier that the compiler made are one barrier.
  bool is_one_line(const operation& a, const operation& b) const {
    const ptx::location x = instruction_of(m_, a).where, y = instruction_of(m_, b).where;
    return x.line != 0 && x == y;
  }

  void exited_before(const block& b, const operation& o, std::uint32_t thread, const block_state& s) {
    found_.add({426, index(o), index(*s.exit)}, [&] {
      finding f = start_finding(m_, checker::sync, 426, site_of(m_, o, b.number, thread));
      f.other = site_of(m_, *s.exit, b.number, s.gone_thread);
      f.what = "Barrier error detected. Divergent thread(s) in block: some have exited";
      f.detail = "waits at a barrier that " + thread_text(*f.other) + " never reaches, it has exited";
      f.fix = "let every thread reach the barrier, and guard the work instead of returning early";
      return f;
    });
  }

  void different(const block& b, const operation& o, std::uint32_t thread, const block_state& s) {
    found_.add({427, index(o), index(*s.barrier)}, [&] {
      finding f = start_finding(m_, checker::sync, 427, site_of(m_, o, b.number, thread));
      f.other = site_of(m_, *s.barrier, b.number, s.thread);
      f.what = "Barrier error detected. Divergent thread(s) in block: they wait at different barriers";
      f.detail = "completes a barrier together with threads at another instruction";
      f.fix = "let all threads of the block run the same barrier; barrier.sync may differ";
      return f;
    });
  }

  const machine& m_;
  findings& found_;
  std::unordered_map<std::uint64_t, block_state> blocks_;
};

}  // namespace tg::emulator::check
