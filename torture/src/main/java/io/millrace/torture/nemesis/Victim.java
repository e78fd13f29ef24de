package io.millrace.torture.nemesis;

/**
 * What a fault was done to.
 *
 * @param part which kind of thing
 * @param number which one of them, from 1
 */
public record Victim(Part part, int number) {

  /** What a run consists of. */
  public enum Part {
    TRACKER("tracker"),
    WORKER("worker"),
    CLIENT("client"),
    DATABASE("database"),
    /** The connections from one tracker to one node of the database. */
    DATABASE_LINK("link to the database"),
    /** The connections from workers, clients and other trackers to one tracker. */
    TRACKER_LINK("nodes' link to tracker"),
    /** Everything at once; the run does not do that, but sees it. */
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
