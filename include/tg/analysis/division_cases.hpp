// x / u and x % u where the lanes of x differ, and a whole warp divides by one number that is not known, or starts at a
// number that is not known. There is no one pattern then, but there are few:
//
//   lane          0  1  2  3 ...  t-1   t  t+1 ...
//   x             b  b+1          b+t-1 b+t            b + t is a multiple of u: x "falls" at lane t
//   x % u         u-t             u-1   0  1
//   x / u         q               q     q+1
//
// A divisor larger than the distance between the least and the most of x falls once at most, so there is one case for each
// lane t and one without a fall. Smaller divisors fall more often; a known one has a case for each x % u of lane 0, for an
// unknown one `may_be_small` says that the cases do not speak of it.
#pragma once

#include <tg/analysis/arithmetic.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::analysis {

/// How a division rounds, and what negative numbers are to it.
enum class division_rule {
  towards_zero,  ///< of signed numbers
  unsigned_,     ///< negative numbers have wrapped around
  floor_         ///< shifts of signed numbers and masks, to which negative numbers are nothing special
};

/// The cases of a division in which all lanes share the divisor.
class division_cases {
 public:
  /// `reach`: `remainder` will be asked for x + shift too, with a shift of at most `reach` up or down.
  constexpr division_cases(const lane_value& x, const lane_value& u, division_rule rule, int reach = 0)
      : offset_{x.offset}, base_{x.divisor}, reach_{reach}, rule_{rule} {
    if (!x.known || x.stride_count != 0 || x.xor_bits != 0 || !is_uniform(u) || u.xor_bits != 0) return;
    if (is_constant(u)) known_ = u.offset[0];
    step_ = granularity(u);
    if (step_ <= 0 || known_ < 0) return;
    is_negative_ = !is_non_negative(x);
    // What has wrapped around 2^32 keeps no divisor but powers of two.
    if (rule == division_rule::unsigned_ && known_ == 0 && !is_non_negative(u)) step_ = lowest_bit(step_);
    normalise();
    if (known_ != 0 && known_ <= most_ - least_ + 2 * reach_) make_phases();
    else make_falls(is_negative_ && x.maybe_negative && base_ != 0);
    if (rule == division_rule::towards_zero && known_ == 0 && !is_non_negative(u)) negated_from_ = count_, count_ *= 2;
  }

  /// Returns: whether the cases say all there is to say of divisors that are not small.
  constexpr bool is_known() const { return count_ > 0; }
  constexpr int count() const { return count_; }
  /// Returns: whether the divisor may be so small that x falls more than once in a warp. Requires: it is `at_least` that.
  constexpr bool may_be_small(std::int64_t at_least = 0) const {
    const std::int64_t span = most_ - least_ + 2 * reach_;
    return known_ == 0 && step_ <= span && at_least <= span;
  }
  /// Returns: whether a divisor of 1 is one of those.
  constexpr bool may_be_one(std::int64_t at_least = 0) const {
    return known_ == 0 && step_ == 1 && most_ > least_ && at_least <= 1;
  }
  /// Returns: whether the lanes of x are each number between the least and the most, counted in steps that all divisors
  /// share: what any divisor leaves of them, and their quotients, then are one run of numbers or two.
  constexpr bool is_dense() const {
    for (const auto o : offset_)
      if ((o - offset_[0]) % unit_ != 0) return false;
    return (most_ - least_) / unit_ + 1 == detail::count_distinct(offset_);
  }

  /// Returns: whether x falls among the lanes in case `n`.
  constexpr bool falls(int n) const { return !is_phased_ && n < count_ && (negated_from_ > 0 ? n % negated_from_ : n) != 0; }

  /// (x + shift) % u in case `n`.
  constexpr lane_value remainder(int n, std::int64_t shift = 0) const {
    if (negated_from_ > 0) n %= negated_from_;
    lane_value r;
    if (is_phased_) {
      for (int l = 0; l < warp_lanes; ++l) r.offset[l] = floor_mod(offset_[l] + n * unit_ + shift, known_);
      return r;
    }
    for (int l = 0; l < warp_lanes; ++l) r.offset[l] = offset_[l] + shift;
    if (n == 0) {
      r.divisor = is_from_zero_ ? 0 : unit_;
      r.maybe_negative = is_negative_;
      return r;
    }
    const lanes group = groups(n, shift);
    if (are_apart_) {
      add_stride(r, unit_, group, is_negative_, lane_term::grouped);
      return r;
    }
    lanes before{};
    for (int l = 0; l < warp_lanes; ++l) {
      before[l] = 1 - group[l];
      r.offset[l] += before[l] * known_ - fall_[n];
    }
    add_stride(r, known_ != 0 ? 0 : step_, before, false);
    return r;
  }

  /// x / u in case `n`.
  constexpr lane_value quotient(int n) const {
    const bool is_negated = negated_from_ > 0 && n >= negated_from_;
    if (negated_from_ > 0) n %= negated_from_;
    lane_value r;
    if (is_phased_) {
      for (int l = 0; l < warp_lanes; ++l) r.offset[l] = floor_div(offset_[l] + n * unit_, known_);
    } else if (n != 0) {
      r.offset = groups(n, 0);
    }
    // Across 0 of wrapped numbers the quotient is another one altogether.
    if (n != 0 && are_apart_ && rule_ == division_rule::unsigned_) {
      const lanes group = r.offset;
      r.offset = {};
      add_stride(r, 1, group, false, lane_term::grouped);
    }
    if (is_negated)
      for (auto& o : r.offset) o = -o;
    if (!is_from_zero_) add_base(r, 1, is_negative_ || is_negated);
    return r;
  }

 private:
  constexpr void normalise() {
    unit_ = gcd(known_ != 0 ? known_ : step_, base_);
    if (rule_ == division_rule::unsigned_ && is_negative_) unit_ = lowest_bit(unit_);
    least_ = most_ = offset_[0];
    for (const auto o : offset_) {
      least_ = o < least_ ? o : least_;
      most_ = o > most_ ? o : most_;
    }
    lowest_ = least_;
    is_from_zero_ = base_ == 0 && least_ == 0 && reach_ == 0;
    const std::int64_t shift = floor_div(least_, unit_) * unit_;
    for (auto& o : offset_) o -= shift;
    least_ -= shift;
    most_ -= shift;
  }

  // A divisor that is known and smaller than what x spans: one case for each remainder that x may start with.
  constexpr void make_phases() {
    is_phased_ = true;
    const std::int64_t phases = known_ / unit_;
    const bool is_truncated = is_negative_ && rule_ != division_rule::floor_;
    count_ = is_truncated || phases > most_cases ? 0 : static_cast<int>(phases);
  }

  constexpr void make_falls(bool is_base_negative) {
    count_ = 1;
    if (is_from_zero_) return;
    are_apart_ = is_negative_ && rule_ != division_rule::floor_;
    if (!are_apart_ && reach_ == 0 && (most_ - least_) / unit_ > most_falls) {
      // Lanes that lie far apart: where between two of them x falls is left open.
      are_apart_ = true;
      for (const auto o : offset_)
        if (o != least_ && !is_listed(o)) add(o, o);
      return;
    }
    if (!are_apart_) {
      for (std::int64_t at = (floor_div(least_ - reach_, unit_) + 1) * unit_; at <= most_ + reach_; at += unit_) add(at, at);
      return;
    }
    if (reach_ != 0) {
      count_ = 0;
      return;
    }
    // Signed numbers fall behind a multiple of u below 0 and at one above: between any two neighbours.
    if (rule_ == division_rule::towards_zero) {
      for (std::int64_t at = least_ + 1; at <= most_; ++at) add(at, at);
      return;
    }
    // Unsigned numbers whose first lanes have wrapped: a fall among those, and the lane that is 0.
    for (std::int64_t at = least_ + 1; at <= most_; ++at) {
      add(at, at);
      if (!is_base_negative && at - least_ > -lowest_) continue;
      for (std::int64_t before = least_ + 1; before < at; ++before) add(before, at);
    }
  }

  constexpr void add(std::int64_t first, std::int64_t last) {
    if (count_ == 0 || count_ == most_cases) {
      count_ = 0;
      return;
    }
    first_fall_[count_] = first;
    fall_[count_++] = last;
  }

  constexpr bool is_listed(std::int64_t at) const {
    for (int n = 1; n < count_; ++n)
      if (fall_[n] == at) return true;
    return false;
  }

  // How often x has fallen up to each lane.
  constexpr lanes groups(int n, std::int64_t shift) const {
    lanes out{};
    for (int l = 0; l < warp_lanes; ++l) {
      const std::int64_t at = offset_[l] + shift;
      out[l] = (at >= fall_[n] ? 1 : 0) + (fall_[n] != first_fall_[n] && at >= first_fall_[n] ? 1 : 0);
    }
    return out;
  }

  static constexpr int most_cases = 512;
  static constexpr int most_falls = 128;

  lanes offset_{};
  std::int64_t base_ = 0;
  std::int64_t known_ = 0;  // the divisor; 0: not known
  std::int64_t step_ = 0;   // the divisor is a multiple of it
  std::int64_t unit_ = 1;   // x falls at multiples of it
  std::int64_t least_ = 0;
  std::int64_t most_ = 0;
  std::int64_t lowest_ = 0;  // of x as it came, less its base
  int reach_ = 0;
  division_rule rule_{};
  int count_ = 0;
  int negated_from_ = 0;
  bool is_phased_ = false;
  bool is_negative_ = false;
  bool are_apart_ = false;     // nothing is known of the numbers in front of a fall beside those behind it
  bool is_from_zero_ = false;  // x counts from 0: a divisor that is not small leaves it as it is
  fixed_array<std::int64_t, most_cases> first_fall_{};
  fixed_array<std::int64_t, most_cases> fall_{};
};

}  // namespace tg::analysis
