package io.millrace.torture.attack;

/** Runs attackers concurrently. */
final class Threads {
  private Threads() {}

  interface Body {
    void run(int number) throws Exception;
  }

  /** Runs the body on this number of threads until the deadline; abandons threads that block. */
  static void run(int count, Body body, Deadline deadline) {
    for (int i = 0; i < count; i++) {
      int number = i;
      Thread thread = new Thread(() -> attempt(body, number), "attacker-" + number);
      thread.setDaemon(true);
      thread.start();
    }
    deadline.hold();
  }

  private static void attempt(Body body, int number) {
    try {
      body.run(number);
    } catch (Exception cut) {
      System.err.println("attacker " + number + " ended: " + cut);
    }
  }
}
