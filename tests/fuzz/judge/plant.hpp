// Defects that are put into a comparison on purpose.
#pragma once

namespace judge {

/// What is broken on purpose, to show that a comparison finds it: a rule of the host, or a verdict.
enum class plant {
  none,
  casts_keep_all_bits,
  literals_are_negative,
  last_term_is_lost,
  breaks_go_on,  // with the next iteration of the loop
  barriers_separate_nothing,
  bands_are_one,               // what is left of a block's number by a division is 0
  blocks_are_one,              // the host runs one block only
  refuted_is_proved,           // what is refuted is taken as proved, and the runs are to show it
  refuted_is_proved_to_solver  // the same, and only the launches of the solver may show it
};

}  // namespace judge
