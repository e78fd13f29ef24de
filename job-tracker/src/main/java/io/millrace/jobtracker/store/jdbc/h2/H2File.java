package io.millrace.jobtracker.store.jdbc.h2;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Lock;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.MVStore;

/**
 * The file of an H2 database that is open in this process. Every commit appends a chunk to it; a
 * chunk in which nothing lives any more is free space.
 *
 * <p>Thread-safe. Valid as long as the connection that it was got from.
 */
public final class H2File {
  /**
   * How many commits must follow the one that left a chunk without life before its space is used
   * again. A start after a kill finds the newest commit by way of the chunks of up to 22 commits
   * before it, and takes a commit for damaged that names a chunk which is gone. So with 0, which H2
   * sets, a kill at the wrong moment of a write loses commits.
   */
  static final int COMMITS_KEPT = 32;

  /** Old chunks are rewritten while less of them lives than this. */
  static final int FILL_PERCENT = 60;

  /** Commits wait while so much is rewritten: some milliseconds. */
  static final int PORTION_BYTES = 256 << 10;

  private static final int ANY_FILL_PERCENT = 100;
  private static final String FILL_OF_OLD_CHUNKS = "info.CHUNKS_FILL_RATE_RW";

  /** One for each open file. */
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
   * The file behind a connection; none if the database is in memory, in another process, or opened
   * with a {@code WRITE_DELAY}, in which case H2 looks after the file by a thread of its own.
   */
  public static Optional<H2File> of(Connection connection) throws SQLException {
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

  /** Has H2 leave alone what a start after a kill may need, until the database is closed. */
  void keepCommits() {
    store.setVersionsToKeep(COMMITS_KEPT);
  }

  /**
   * Held from the first write of a transaction until its commit is in the file. A commit takes the
   * maps of all tables as they are, one after the other: of another transaction that writes or
   * commits meanwhile the chunk has some changes and lacks others, which the next commit makes
   * good. A kill before that would leave a part of that transaction.
   *
   * @param urgent whether it is taken before all that wait for it
   */
  Lock writerLock(boolean urgent) {
    return urgent ? writers.urgent() : writers.usual();
  }

  /**
   * Waits until everything that the connection's transaction has read is in the file, if it has
   * written nothing: others see a commit a moment before it is in the file, and before it lets go
   * of the {@link #writerLock}. One that has written waits by committing.
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
            "the database was closed before what was read was in its file", "08003");
      }
    } finally {
      writers.usual().unlock();
    }
  }

  private void requireWriterLock() {
    if (!writers.isMine()) {
      throw new IllegalStateException("a transaction has written without the lock of writers");
    }
  }

  /**
   * Writes some of what lives in old chunks anew, by a commit like any other, so that those chunks
   * become free space. That is all of the compaction that H2 does beside moving chunks, which is
   * not safe at every moment.
   *
   * @return whether there was anything to rewrite
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

  /** All files of the database. */
  Optional<DatabaseFiles> files() {
    String path = session.getDatabase().getDatabasePath();
    return path == null ? Optional.empty() : DatabaseFiles.at(Path.of(path));
  }

  private int fillPercentOfOldChunks() {
    Map<String, String> facts = new HashMap<>();
    store.getFileStore().populateInfo(facts::put);
    return Integer.parseInt(facts.getOrDefault(FILL_OF_OLD_CHUNKS, "100"));
  }
}
