// How a stream refuses, while C++ is compiled, what its state does not allow.
#pragma once

namespace tg {

/// What a stream is doing, as part of its type.
enum class stream_state {
  idle,       // nothing that tg gave it is under way
  recording,  // takes work, which runs in the order in which it is given
  submitted,  // has its work and takes no more; is waited for
  captured,   // takes work that becomes a graph instead of running
};

/// A stream in a state; `stream`, `recording_stream`, `submitted_stream` and `captured_stream` name them.
template <stream_state State> class basic_stream;

}  // namespace tg

namespace tg::diagnosis {

/// In a compile error: the state of the stream.
template <stream_state State> struct state;

template <bool Ok, class State> struct stream_transition {
  static_assert(Ok, "TG132: the stream's state does not allow this; idle: begin() or capture(), recording: work and submit(), "
                    "submitted: wait() or begin(), captured: work, fork(), join() and end()");
};
template <bool Ok, class State> struct stream_handed_on {
  static_assert(Ok, "TG133: a stream changes its state by being handed on; write std::move(stream) and use what comes back");
};

}  // namespace tg::diagnosis

namespace tg::runtime {

/// Errors: TG132.
template <stream_state State, class... A> void refuse_in_state() {
  (void)sizeof(diagnosis::stream_transition<sizeof...(A) != sizeof...(A), diagnosis::state<State>>);
}

/// Members for states in which they are refused.
template <stream_state State> class refuses_work {
 public:
  template <class... A> void launch(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void copy(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void fill(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void zero(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void record(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void wait_for(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void call(A&&...) const { refuse_in_state<State, A...>(); }
};

/// `begin` does not compile in this state. Errors: TG132.
template <stream_state State> class refuses_begin {
 public:
  template <class... A> void begin(A&&...) const { refuse_in_state<State, A...>(); }
};

/// `capture` does not compile in this state. Errors: TG132.
template <stream_state State> class refuses_capture {
 public:
  template <class... A> void capture(A&&...) const { refuse_in_state<State, A...>(); }
};

/// `submit` does not compile in this state. Errors: TG132.
template <stream_state State> class refuses_submit {
 public:
  template <class... A> void submit(A&&...) const { refuse_in_state<State, A...>(); }
};

/// `wait` and `is_done` do not compile in this state. Errors: TG132.
template <stream_state State> class refuses_wait {
 public:
  template <class... A> void wait(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void is_done(A&&...) const { refuse_in_state<State, A...>(); }
};

/// `end`, `fork` and `join` do not compile in this state. Errors: TG132.
template <stream_state State> class refuses_end {
 public:
  template <class... A> void end(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void fork(A&&...) const { refuse_in_state<State, A...>(); }
  template <class... A> void join(A&&...) const { refuse_in_state<State, A...>(); }
};

/// For transitions of a stream that was not handed on. Errors: TG133.
template <stream_state State, class... A> void refuse_lvalue() {
  (void)sizeof(diagnosis::stream_handed_on<sizeof...(A) != sizeof...(A), diagnosis::state<State>>);
}

}  // namespace tg::runtime
