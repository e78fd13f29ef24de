package io.millrace.benchmarks.contender;

/** A part that serves node groups, and has a console for operators. */
public interface Operated extends Part {
  /**
   * Where operators find the console.
   *
   * @param url the address, without a path
   * @param token what an operator signs in with; empty if it was issued at an earlier start over
   *     the same database
   */
  record Console(String url, String token) {}

  /** Returns the number of node groups that are served at this moment. */
  int served();

  /** Returns where the console is. */
  Console console();
}
