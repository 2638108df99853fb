// Entries of rows: what transformers are made of.
#include <registry/attention.hpp>
#include <registry/attention_decode.hpp>
#include <registry/attention_gradients.hpp>
#include <registry/entry_of.hpp>
#include <registry/norms.hpp>
#include <registry/recurrences.hpp>
#include <registry/transformer.hpp>

#include "entries.hpp"

void registry::add_transformer(entry_list& to) {
  each_attention(entry_adder{to, "attention"});
  each_attention_decode(entry_adder{to, "attention_decode"});
  each_attention_gradient(entry_adder{to, "attention_gradients"});
  each_norm(entry_adder{to, "norms"});
  each_recurrence(entry_adder{to, "recurrences"});
  each_of_transformer(entry_adder{to, "transformer"});
}
