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
 * Keeps the file of an embedded database from growing for ever. Nothing is lost wherever the
 * process is killed in it: what lives in chunks that are nearly empty is written anew as a commit,
 * and their space is free {@value H2File#COMMITS_KEPT} commits later. Driven by one timer, which
 * never overlaps itself.
 */
public final class FileCompaction {
  /** At most as many portions in one run, so that others get their turns at the file. */
  static final int PORTIONS = 16;

  private final DataSource connections;
  private final Dialect dialect;

  public FileCompaction(DataSource connections, Dialect dialect) {
    this.connections = connections;
    this.dialect = dialect;
  }

  /** Whether the database is of a kind that this process has to look after. */
  public boolean isNeeded() {
    return dialect.writesItsFileHere();
  }

  /**
   * Rewrites what is due, and has an eye on the permissions of what H2 has written meanwhile, such
   * as a trace.
   *
   * @return how many portions of the file
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
