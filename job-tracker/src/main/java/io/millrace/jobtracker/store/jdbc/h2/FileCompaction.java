package io.millrace.jobtracker.store.jdbc.h2;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.mvstore.MVStoreException;

/**
 * Keeps the file of an embedded database from growing without limit. A kill at any moment loses
 * nothing: live data of nearly empty chunks is rewritten as a commit, and their space becomes free
 * {@value H2File#COMMITS_KEPT} commits later. One timer drives it, and its runs never overlap.
 */
public final class FileCompaction {
  /** The maximum of portions in one run, so that other writers get their turns. */
  static final int PORTIONS = 16;

  private final DataSource connections;
  private final Dialect dialect;

  public FileCompaction(DataSource connections, Dialect dialect) {
    this.connections = connections;
    this.dialect = dialect;
  }

  /** Whether this process must compact the file of the database. */
  public boolean isNeeded() {
    return dialect.writesItsFileHere();
  }

  /**
   * Rewrites sparse chunks, and restricts the permissions of files that H2 has written meanwhile,
   * for example a trace.
   *
   * @return the number of rewritten portions of the file
   * @throws StoreException if the file cannot be read or written
   */
  public int runOnce() {
    try (Connection connection = connections.getConnection()) {
      Optional<H2File> file = H2File.of(connection);
      file.flatMap(H2File::files).ifPresent(DatabaseFiles::restrict);
      int portions = 0;
      while (portions < PORTIONS && file.isPresent() && file.get().rewritePortion()) {
        portions++;
      }
      return portions;
    } catch (SQLException e) {
      throw new StoreUnavailableException("cannot compact the file: " + e.getMessage(), e, false);
    } catch (MVStoreException e) {
      throw new StoreException("cannot compact the file: " + e.getMessage(), e);
    }
  }
}
