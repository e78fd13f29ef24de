package io.millrace.torture.command;

import io.millrace.torture.database.EmbeddedFile;
import io.millrace.torture.node.Node;
import io.millrace.torture.oracle.DatabaseAccess;
import io.millrace.torture.process.Cluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The databases that the oracle reads in a run: those on servers, or copies of the embedded file.
 */
interface RunTables {

  /** Returns the tables while trackers still work on them. */
  DatabaseAccess live();

  /** Returns the interval at which the live tables are read. */
  Duration lookEvery();

  /** Returns all databases that must hold the same rows after the run. */
  List<DatabaseAccess> atTheEnd();

  /** Returns the tables of this cluster. */
  static RunTables of(Cluster cluster, Consumer<String> reporter) {
    return cluster
        .embedded()
        .<RunTables>map(file -> new CopiedFile(file, cluster.trackers().get(0).process(), reporter))
        .orElseGet(() -> new OnServers(cluster.databaseUrls(), cluster.databaseUser()));
  }

  /** Tables on database servers, of which a cluster has several. */
  record OnServers(List<String> urls, String user) implements RunTables {
    @Override
    public DatabaseAccess live() {
      return atTheEnd().get(0);
    }

    @Override
    public Duration lookEvery() {
      return Duration.ofMillis(500);
    }

    @Override
    public List<DatabaseAccess> atTheEnd() {
      List<DatabaseAccess> nodes = new ArrayList<>();
      for (String url : urls) {
        nodes.add(DatabaseAccess.at("database-" + (nodes.size() + 1), url, user));
      }
      return nodes;
    }
  }

  /**
   * Copies of a file that only its tracker opens. At the end, the tracker is frozen during the
   * copy, so that the copy is what a kill at that moment would leave. During the load, the tracker
   * continues, because copying a large file takes longer than a lease: a copy with inconsistent
   * writes cannot be read and is made again.
   */
  record CopiedFile(EmbeddedFile file, Node tracker, Consumer<String> reporter)
      implements RunTables {
    @Override
    public DatabaseAccess live() {
      return new DatabaseAccess() {
        @Override
        public String name() {
          return "a copy of the file";
        }

        @Override
        public Connection open() throws SQLException {
          try {
            return DatabaseAccess.at(name(), file.copy("looked-at"), "").open();
          } catch (IOException e) {
            throw new SQLException("the file cannot be copied", e);
          }
        }
      };
    }

    @Override
    public Duration lookEvery() {
      return Duration.ofSeconds(5);
    }

    @Override
    public List<DatabaseAccess> atTheEnd() {
      try {
        DatabaseAccess before = still("the file before the last stop", "before-stop");
        if (!tracker.stop()) {
          reporter.accept(tracker.name() + " did not end in time and was killed");
        }
        return List.of(before, still("the file after the last stop", "after-stop"));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private DatabaseAccess still(String name, String copy) throws SQLException {
      tracker.freeze();
      try {
        return DatabaseAccess.at(name, file.copy(copy), "");
      } catch (IOException e) {
        throw new SQLException("the file cannot be copied", e);
      } finally {
        tracker.thaw();
      }
    }
  }
}
