package io.millrace.torture.command;

import io.millrace.torture.oracle.BatchCounts;
import io.millrace.torture.oracle.DatabaseAccess;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks again and again, while trackers work, whether open batches count what they have. */
final class BatchWatch {
  private static final int MOST_SENTENCES = 20;

  private final DatabaseAccess database;
  private final List<String> miscounts = new ArrayList<>();
  private int looks;
  private int batches;
  private boolean isOver;

  BatchWatch(DatabaseAccess database) {
    this.database = database;
  }

  /** Looks once; does nothing if the database does not answer, or after the end. */
  synchronized void look() {
    if (isOver) {
      return;
    }
    try {
      BatchCounts.Look look = BatchCounts.look(database);
      looks++;
      batches += look.batches();
      look.wrong().stream()
          .limit(Math.max(0, MOST_SENTENCES - miscounts.size()))
          .forEach(miscounts::add);
    } catch (SQLException e) {
      // The run cuts databases off, and a copy of a file may be torn: the next look sees the same.
    }
  }

  /** Ends; waits for the look under way, after which another may read the database's copy. */
  synchronized void end() {
    isOver = true;
  }

  /** Returns what was found wrong. */
  synchronized List<String> miscounts() {
    return List.copyOf(miscounts);
  }

  @Override
  public synchronized String toString() {
    return "%d looks at %d open batches".formatted(looks, batches);
  }
}
