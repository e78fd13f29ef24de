package io.millrace.torture.attack;

/** Attackers beside one another. */
final class Threads {
  private Threads() {}

  interface Body {
    void run(int number) throws Exception;
  }

  /** Runs the body so many times at once, until the deadline; threads that hang are left behind. */
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
