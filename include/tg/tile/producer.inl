// What a recording knows of its producer.
#pragma once

#include <tg/tile/producer.hpp>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/alike_in_cluster.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void begin_producer(const ptx::operand& consumes, const ptx::operand& fetches) {
  tracer::current().recorded().producer = {consumes, fetches};
}

TG_LIBRARY_FUNCTION value<bool> begin_fetch() {
  producer_part& own = tracer::current().recorded().producer;
  own.has_fetches = true;
  return {own.fetches};
}

TG_LIBRARY_FUNCTION bool is_alike_in_cluster(const ptx::operand& number) {
  return is_alike_in_cluster(tracer::current().recorded(), number);
}

TG_LIBRARY_FUNCTION bool is_nested_in_consumers() {
  tape& own = tracer::current().recorded();
  int open = 0;
  for (const ptx::instruction& i : own.fn().body)
    open +=
        (i.op == ptx::opcode::if_ || i.op == ptx::opcode::loop) - (i.op == ptx::opcode::endif || i.op == ptx::opcode::endloop);
  return open != 1;
}

TG_LIBRARY_FUNCTION void require_fetches(source_location where) {
  if (!tracer::current().recorded().producer.has_fetches)
    throw error(
        code{611}, "a block with tg::producer, and no pipeline that the producer fetches for",
        "leave out tg::producer, or let tensor copies fill a pipeline outside of loops and branches: views that are "
        "only read, with rows promised to be multiples of 16 bytes apart, and rectangles whose first column is a multiple "
        "of 16 bytes by its type: C++ numbers in it hide that, so write at * 32_c, not at * 32u",
        where);
}

}  // namespace tg::detail
