// What an asynchronous operation is asked to do, as the decoder leaves it for the machine.
#pragma once

#include <cstdint>

#include <tg/base/fixed_array.hpp>
#include <tg/emulator/image/lane_op.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::emulator {

/// Asynchronous operations, operations on mbarriers and on clusters.
enum class async_act : std::uint8_t {
  copy,  // cp.async
  commit_group,
  wait_group,
  arrive_after_copies,  // cp.async.mbarrier.arrive
  mbarrier_init,
  mbarrier_inval,
  mbarrier_arrive,  // expect_tx before it included
  mbarrier_transactions,
  mbarrier_wait,  // test_wait and try_wait
  bulk_load,      // to shared memory, completes on an mbarrier
  bulk_store,     // to global memory, completes with its group
  bulk_commit_group,
  bulk_wait_group,
  tensor_load,
  tensor_store,
  tensor_map_replace,
  tensor_map_copy,
  remote_store,  // st.async and red.async
  cluster_arrive,
  cluster_wait,
};

/// The slots of its operation are results, values, then one address for each of `accesses`.
struct async_use {
  async_act act = async_act::copy;
  std::uint8_t address_count = 0;
  fixed_array<std::uint32_t, 3> accesses{};  // in image::accesses
  std::uint32_t bytes = 0;                   // of a cp.async; of an element of st.async and red.async
  std::uint32_t number = 0;                  // groups that may go on; the ordinal of a tensor map's field
  std::uint8_t dimensions = 0;               // of a tensor
  std::uint8_t elements = 1;                 // of a vector
  bool has_size = false;                     // cp.async: bytes to read, the rest is zero
  bool has_ignore = false;                   // cp.async: a predicate that says to read nothing
  bool is_ignore_negated = false;
  bool has_state = false;  // mbarrier.arrive gives the state before it
  bool has_count = false;
  bool expects = false;        // mbarrier.arrive.expect_tx; expect_tx and not complete_tx
  bool drops = false;          // arrive_drop
  bool may_complete = true;    // not .noComplete
  bool counts_itself = true;   // not .noinc
  bool waits_for_all = false;  // wait_all: the group that is open too
  bool is_parity = false;      // a wait for a parity, not a state
  bool is_relaxed = false;     // an arrival that releases nothing, a wait that acquires nothing
  bool is_multicast = false;
  bool is_im2col = false;  // the tensor is a batch of images
  bool reduces = false;
  bool only_reads = false;              // a wait until the sources are free, not until all is done
  ptx::token how = ptx::token::none;    // of a reduction: add, min ...
  ptx::token type = ptx::token::none;   // of its elements
  ptx::token field = ptx::token::none;  // of a tensor map
};

}  // namespace tg::emulator
