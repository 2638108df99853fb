// An access on which the recorder speaks when the recording ends.
#pragma once

#include <tg/analysis/struct_piece.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/recorder/access.hpp>

namespace tg::detail {

/// One dimension of an access that is judged while it is recorded: neighbours along it are as many elements apart as
/// `step` says, or by an unknown multiple of `step`.
struct index_part {
  ptx::operand index = {};
  std::int64_t step = 1;
  bool is_multiple = false;
  std::int64_t multiple = 0;  // promised of an index that is gathered, of which nothing else is judged; 0: it is not gathered
};

/// What of an access the recorder judges.
struct recorded_request {
  static constexpr int max_rank = 4;

  fixed_array<index_part, max_rank> parts{};
  int rank = 1;
  int align = 16;    // of the first element, in bytes
  int matrices = 0;  // rows of that many matrices; 0: elements
  int excused = 0;   // code of the finding that is excused
  // The bytes of a struct that one access moves, in one instruction or in several. In global memory they have one verdict.
  // No bytes where elements are no structs.
  analysis::struct_piece together = {};

  /// A request at one index of elements.
  static recorded_request at(const ptx::operand& index) {
    recorded_request out;
    out.parts[0].index = index;
    return out;
  }

  bool is_gathered() const {
    for (int k = 0; k < rank; ++k)
      if (parts[static_cast<std::size_t>(k)].multiple != 0) return true;
    return false;
  }
};

/// What is still to be found.
enum class open_question : std::uint8_t {
  cost,     // the lanes of the index, and what they cost
  siblings  // whether other accesses use what this one leaves of its sectors
};

struct open_judgement {
  recorded_request request;
  access judged;  // with its costs where only siblings are to be found
  open_question question = open_question::cost;
};

}  // namespace tg::detail
