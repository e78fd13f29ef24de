package io.millrace.test.internal;

/** Lets time pass, step by step, as long as nothing is left to do at the present instant. */
public interface Passage {

  /** Moves the clock to the next event and lets it happen; called on the engine's thread. */
  void step();

  /** Whether all the time has passed. */
  boolean isOver();

  /** Whether time stands still while a handler waits to be run. */
  boolean waitsForHandlers();
}
