// How many aligned pieces of memory (sectors or lines) runs of bytes reach into, for every alignment of their base.
//
// A run of n bytes fills n/unit pieces, rounded up. At some alignments it reaches into one more (slack), and two runs
// that lie close may share a piece. Both happen for one interval of alignments each, so a run costs a few additions
// however many alignments there are.
#pragma once

#include <tg/analysis/byte_runs.hpp>

namespace tg::analysis::detail {

struct span_count {
  int most = 0;         ///< pieces at the worst alignment
  int least = 0;        ///< at the best
  int slack = 0;        ///< of `most`, the pieces that only misalignment costs
  int most_packed = 0;  ///< the most pieces, over alignments, without slack

  constexpr span_count& operator+=(const span_count& other) {
    most += other.most;
    least += other.least;
    slack += other.slack;
    most_packed += other.most_packed;
    return *this;
  }
};

/// The step between the alignments within a piece that multiples of `divisor` can have. Requires: unit is a power of
/// two.
constexpr int alignment_step(std::int64_t divisor, int unit) { return static_cast<int>(lowest_bit(divisor | unit)); }

/// The unknown strides in bytes.
struct span_scale {
  const lane_stride* strides = nullptr;
  int count = 0;
  int elem_bytes = 1;

  /// Returns: the step between the alignments that the strides can give the row of `lane`.
  constexpr int step(int lane, int unit) const {
    std::uint64_t bits = 0;  // the lowest bits of a product do not depend on what overflows
    for (int k = 0; k < count; ++k)
      bits |= static_cast<std::uint64_t>(strides[k].kind == lane_term::grouped ? 1 : strides[k].coef[lane]) *
              static_cast<std::uint64_t>(strides[k].divisor * elem_bytes);
    return alignment_step(static_cast<std::int64_t>(bits), unit);
  }
};

/// Counts for the alignments 0, step, 2*step, ... below `unit`.
class span_tally {
 public:
  constexpr span_tally(int unit, int step) : unit_{unit}, step_{step} {}

  /// Adds runs [first, end), which are one row, all of them `shift` bytes further on.
  constexpr void add_row(const byte_runs& runs, int first, int end, std::int64_t shift = 0) {
    const byte_run* const at = runs.at.data() + first;
    const int count = end - first;
    const std::int64_t bytes = at[0].end - at[0].begin;
    if (count > 2 && are_even(at, count)) {
      const std::int64_t distance = at[1].begin - at[0].begin;
      const int period = unit_ / alignment_step(distance, unit_);  // runs that far on lie alike in their pieces
      for (int i = 0; i < period && i < count; ++i) {
        const int times = (count - 1 - i) / period + 1;
        add_runs(at[i].begin + shift, bytes, times);
        add_gaps(at[i].begin + shift, distance - bytes, i == 0 ? times - 1 : times);
      }
    } else {
      for (int i = 0; i < count; ++i) {
        add_runs(at[i].begin + shift, at[i].end - at[i].begin, 1);
        if (i > 0) add_gaps(at[i].begin + shift, at[i].begin - at[i - 1].end, 1);
      }
    }
  }

  /// Adds `times` runs of `bytes` that begin at byte `at` of a piece.
  constexpr void add_runs(std::int64_t at, std::int64_t bytes, int times) {
    const auto last = static_cast<int>(bytes - 1);
    filled_ += times * (last / unit_ + 1);
    count_between_bytes(slack_, at, unit_ - last % unit_, unit_ - 1, times);
  }

  constexpr span_count result() const {
    span_count r;
    int slack = 0;
    int shared = 0;
    for (int slot = 0; slot < unit_ / step_; ++slot) {
      if (slot != 0 && (slack_[slot] | shared_[slot]) == 0) continue;
      slack += slack_[slot];
      shared += shared_[slot];
      const int packed = filled_ - shared;
      const int pieces = packed + slack;
      if (slot == 0 || pieces > r.most) {
        r.most = pieces;
        r.slack = slack;
      }
      if (slot == 0 || pieces < r.least) r.least = pieces;
      if (slot == 0 || packed > r.most_packed) r.most_packed = packed;
    }
    return r;
  }

 private:
  /// Whether the runs have one length and are evenly apart.
  static constexpr bool are_even(const byte_run* at, int count) {
    for (int i = 2; i < count; ++i)
      if (at[i].begin - at[i - 1].begin != at[1].begin - at[0].begin) return false;
    for (int i = 1; i < count; ++i)
      if (at[i].end - at[i].begin != at[0].end - at[0].begin) return false;
    return true;
  }

  /// Adds `times` gaps of `bytes` that end before byte `at` of a piece: the runs on both sides may share a piece.
  constexpr void add_gaps(std::int64_t at, std::int64_t bytes, int times) {
    if (bytes < unit_ && times > 0) count_between_bytes(shared_, at - bytes - 1, 0, unit_ - 2 - static_cast<int>(bytes), times);
  }

  /// Adds `times` to every alignment at which the byte `at` falls between `low` and `high` within its piece.
  constexpr void count_between_bytes(int* slots, std::int64_t at, int low, int high, int times) {
    if (low > high) return;
    const int residue = static_cast<int>(at & (unit_ - 1));
    const int first = (low - residue) & (unit_ - 1);
    const int last = first + high - low;
    count_slots(slots, first, last < unit_ ? last : unit_ - 1, times);
    if (last >= unit_) count_slots(slots, 0, last - unit_, times);
  }

  constexpr void count_slots(int* slots, int first, int last, int times) {
    const int from = (first + step_ - 1) / step_;
    const int to = last / step_ + 1;
    if (from >= to) return;
    slots[from] += times;
    slots[to] -= times;
  }

  int unit_;
  int step_;
  int filled_ = 0;
  int slack_[129]{};  // differences from one alignment to the next
  int shared_[129]{};
};

/// The pieces of one run, at alignments that are multiples of `step`, without a look at its neighbours.
constexpr span_count count_run(const byte_run& run, int unit, int step) {
  const auto last = static_cast<int>(run.end - run.begin - 1);
  const auto residue = static_cast<int>(run.begin & (step - 1));
  const int filled = last / unit + 1;
  const int tail = last % unit;
  const int slack = residue + tail >= step ? 1 : 0;
  return {filled + slack, filled + (residue + tail >= unit ? 1 : 0), slack, filled};
}

/// The pieces of runs [first, end) of one row.
constexpr span_count count_row(const byte_runs& runs, int first, int end, int unit, int step) {
  if (step != unit && end - first > 1) {
    span_tally tally{unit, step};
    tally.add_row(runs, first, end);
    return tally.result();
  }
  span_count total;
  for (int i = first; i < end; ++i) {
    total += count_run(runs.at[i], unit, step);
    // Only at a known alignment is it known whether two runs share a piece.
    if (i > first && ((runs.at[i - 1].end - 1) & -unit) == (runs.at[i].begin & -unit)) total += {-1, -1, 0, -1};
  }
  return total;
}

/// Returns: the end of the row of runs that starts with run `first`.
constexpr int row_end(const byte_runs& runs, int first) {
  const byte_run* const at = runs.at.data();
  int end = first + 1;
  while (end < runs.count && at[end].row == at[first].row) ++end;
  return end;
}

/// Whether each row is one run, all of one length: columns of a matrix.
constexpr bool are_single_runs(const byte_runs& runs) {
  const byte_run* const at = runs.at.data();
  for (int i = 1; i < runs.count; ++i)
    if (at[i].row == at[i - 1].row || at[i].end - at[i].begin != at[0].end - at[0].begin) return false;
  return true;
}

/// Adds rows that are single runs of one length, where the stride is `residue`: those that begin alike together.
constexpr void add_single_runs(span_tally& tally, const byte_runs& runs, int unit, const std::int64_t* coef, int residue) {
  constexpr int most_unit = 32;
  int rows_at[most_unit]{};
  const byte_run* const at = runs.at.data();
  for (int i = 0; i < runs.count; ++i) ++rows_at[(at[i].begin + coef[at[i].lane] * residue) & (unit - 1)];
  for (int begin = 0; begin < unit; ++begin)
    if (rows_at[begin] != 0) tally.add_runs(begin, at[0].end - at[0].begin, rows_at[begin]);
}

/// Rows that share one unknown stride move together: the worst and the best over its residues. Linear in residues x runs.
/// Requires: unit is 32.
constexpr span_count count_one_stride(const byte_runs& runs, int unit, int step, const lane_stride& stride, int elem_bytes) {
  span_count out;
  const bool are_single = are_single_runs(runs);
  const int stride_step = alignment_step(divisor_of_product(stride.divisor, elem_bytes), unit);
  for (int residue = 0; residue < unit; residue += stride_step) {
    span_tally tally{unit, step};
    if (are_single) add_single_runs(tally, runs, unit, stride.coef.data(), residue);
    for (int i = are_single ? runs.count : 0, end = 0; i < runs.count; i = end) {
      end = row_end(runs, i);
      tally.add_row(runs, i, end, (stride.coef[runs.at[i].lane] * residue) & (unit - 1));
    }
    const span_count own = tally.result();
    if (residue == 0 || own.most > out.most) {
      out.most = own.most;
      out.slack = own.slack;
    }
    if (residue == 0 || own.least < out.least) out.least = own.least;
    if (residue == 0 || own.most_packed > out.most_packed) out.most_packed = own.most_packed;
  }
  return out;
}

/// Rows of several unknown strides are taken to lie each at its worst, which is a bound. So are the lines of any stride.
/// Requires: unit is a power of two, at most 128; base_divisor is that of the base all rows share, 0 when it is 0.
constexpr span_count count_spans(const byte_runs& runs, int unit, std::int64_t base_divisor, const span_scale& scale) {
  const int step = alignment_step(base_divisor, unit);
  if (scale.count == 1 && scale.strides[0].kind == lane_term::scaled && unit == 32 && runs.count > 1)
    return count_one_stride(runs, unit, step, scale.strides[0], scale.elem_bytes);
  const byte_run* const at = runs.at.data();
  span_count total;
  span_count together;
  const byte_run* like = nullptr;
  bool are_alike = true;
  for (int i = 0, end = 0; i < runs.count; i = end) {
    end = row_end(runs, i);
    const byte_run& run = at[i];
    const int row_step = scale.step(run.lane, unit);
    if (step == unit || row_step != unit) {
      total += count_row(runs, i, end, unit, row_step < step ? row_step : step);
    } else {
      are_alike = are_alike && end == i + 1 &&
                  (!like || (((run.begin ^ like->begin) & (unit - 1)) == 0 && run.end - run.begin == like->end - like->begin));
      if (are_alike) together += count_run(run, unit, step);
      like = &run;
    }
  }
  if (are_alike) return total += together;
  // Rows whose strides are whole pieces share one alignment: the worst for their sum, not for each.
  span_tally tally{unit, step};
  for (int i = 0, end = 0; i < runs.count; i = end) {
    end = row_end(runs, i);
    if (scale.step(runs.at[i].lane, unit) == unit) tally.add_row(runs, i, end);
  }
  return total += tally.result();
}

}  // namespace tg::analysis::detail
