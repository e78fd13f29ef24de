package io.millrace.torture.attack;

/** The process of the attackers. Arguments: RPC port, HTTP port, seconds, names of attacks. */
final class AttackerMain {
  private AttackerMain() {}

  public static void main(String[] words) {
    Target target = new Target(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    int seconds = Integer.parseInt(words[2]);
    Deadline deadline = new Deadline(seconds);
    Threads.run(
        words.length - 3,
        number -> Attack.valueOf(words[3 + number]).run(target, deadline),
        deadline);
    // Threads may block forever in a write, because the peer does not read.
    System.exit(0);
  }
}
