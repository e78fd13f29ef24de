package io.millrace.torture.nemesis;

/**
 * The part that a fault affects.
 *
 * @param part the kind of part
 * @param number the number of the part among its kind, from 1
 */
public record Victim(Part part, int number) {

  /** The parts of a run. */
  public enum Part {
    TRACKER("tracker"),
    WORKER("worker"),
    CLIENT("client"),
    DATABASE("database"),
    /** The connections from one tracker to one node of the database. */
    DATABASE_LINK("link to the database"),
    /** The connections from workers, clients and other trackers to one tracker. */
    TRACKER_LINK("nodes' link to tracker"),
    /** The whole machine; the run does not affect it, but observes its stalls. */
    MACHINE("machine");

    private final String words;

    Part(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  @Override
  public String toString() {
    return part + "-" + number;
  }
}
