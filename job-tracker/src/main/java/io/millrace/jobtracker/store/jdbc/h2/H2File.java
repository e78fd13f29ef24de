package io.millrace.jobtracker.store.jdbc.h2;

import io.millrace.jobtracker.store.jdbc.sql.WriterLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.MVStore;

/**
 * The file of an H2 database that is open in this process. Every commit appends a chunk to it; a
 * chunk without live data is free space.
 *
 * <p>Thread-safe. Valid as long as the connection from which it was obtained.
 */
final class H2File {
  /**
   * How many commits must follow the one that left a chunk without live data before its space is
   * reused. A start after a kill finds the newest commit through the chunks of up to 22 commits
   * before it, and treats a commit as damaged if it refers to a missing chunk. So with 0, H2's
   * default, a kill at the wrong moment of a write loses commits.
   */
  static final int COMMITS_KEPT = 32;

  /** Old chunks are rewritten while their share of live data is below this. */
  static final int FILL_PERCENT = 60;

  /** The size of a portion. Commits wait while one is rewritten: some milliseconds. */
  static final int PORTION_BYTES = 256 << 10;

  private static final int ANY_FILL_PERCENT = 100;
  private static final String FILL_OF_OLD_CHUNKS = "info.CHUNKS_FILL_RATE_RW";

  /** The turns of writers, for each open file. */
  private static final Map<MVStore, WriterTurns> WRITERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final SessionLocal session;
  private final MVStore store;
  private final WriterTurns writers;

  private H2File(SessionLocal session, MVStore store) {
    this.session = session;
    this.store = store;
    this.writers = WRITERS.computeIfAbsent(store, opened -> new WriterTurns());
  }

  /**
   * Returns the file behind a connection; empty if the database is in memory, in another process,
   * read-only, or opened with a {@code WRITE_DELAY}, with which an H2 thread maintains the file.
   */
  static Optional<H2File> of(Connection connection) throws SQLException {
    if (connection.isWrapperFor(JdbcConnection.class)
        && connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session) {
      MVStore store = storeOf(session);
      boolean isWrittenByCommits =
          store.isPersistent() && !store.isReadOnly() && store.getAutoCommitDelay() == 0;
      return isWrittenByCommits ? Optional.of(new H2File(session, store)) : Optional.empty();
    }
    return Optional.empty();
  }

  private static MVStore storeOf(SessionLocal session) throws SQLException {
    try {
      return session.getDatabase().getStore().getMvStore();
    } catch (DbException e) {
      throw DbException.toSQLException(e);
    }
  }

  /** Makes H2 keep the chunks that a start after a kill may need, until the database is closed. */
  void keepCommits() {
    store.setVersionsToKeep(COMMITS_KEPT);
  }

  /**
   * Returns the lock that a transaction holds from its first write until its commit is in the file.
   * A commit writes the current maps of all tables, one after the other. If another transaction
   * writes or commits meanwhile, the chunk contains only some of its changes until the next commit;
   * a kill before that would leave a partial transaction.
   *
   * @param urgent whether to acquire it before all waiting transactions
   */
  WriterLock writerLock(boolean urgent) {
    return urgent ? writers.urgent() : writers.usual();
  }

  /**
   * Waits until everything that the connection's transaction has read is in the file, if it has
   * written nothing: others see a commit shortly before it is in the file and before it releases
   * the {@link #writerLock}. A transaction that has written waits by committing.
   *
   * @throws SQLException if the file was closed before, perhaps because it could not be written
   */
  void awaitRead() throws SQLException {
    if (session.containsUncommitted()) {
      requireWriterLock();
      return;
    }
    writers.usual().lock();
    try {
      if (store.isClosed()) {
        throw new SQLNonTransientConnectionException(
            "the database was closed before the data that was read had been written to its file",
            "08003");
      }
    } finally {
      writers.usual().unlock();
    }
  }

  private void requireWriterLock() {
    if (!writers.isMine()) {
      throw new IllegalStateException("a transaction wrote without the write lock");
    }
  }

  /**
   * Rewrites some live data of old chunks by a regular commit, so that those chunks become free
   * space. H2's own compaction also moves chunks, which is not always safe.
   *
   * @return whether anything was rewritten
   */
  boolean rewritePortion() {
    writers.usual().lock();
    try {
      boolean rewritten =
          fillPercentOfOldChunks() < FILL_PERCENT && store.compact(ANY_FILL_PERCENT, PORTION_BYTES);
      if (rewritten) {
        long unused = store.commit();
      }
      return rewritten;
    } finally {
      writers.usual().unlock();
    }
  }

  /** Returns all files of the database. */
  Optional<DatabaseFiles> files() {
    String path = session.getDatabase().getDatabasePath();
    return path == null ? Optional.empty() : DatabaseFiles.of("jdbc:h2:" + path);
  }

  private int fillPercentOfOldChunks() {
    Map<String, String> facts = new HashMap<>();
    store.getFileStore().populateInfo(facts::put);
    return Integer.parseInt(facts.getOrDefault(FILL_OF_OLD_CHUNKS, "100"));
  }
}
