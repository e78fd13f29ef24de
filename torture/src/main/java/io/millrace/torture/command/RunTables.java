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

/** Where the oracle reads the tables of a run: on its servers, or in copies of its file. */
interface RunTables {

  /** The tables while trackers still work on them. */
  DatabaseAccess live();

  /** How long to wait between two looks at them. */
  Duration lookEvery();

  /** All places that have to hold the same rows once all is at rest. */
  List<DatabaseAccess> atTheEnd();

  /** Those of this cluster. */
  static RunTables of(Cluster cluster, Consumer<String> teller) {
    return cluster
        .embedded()
        .<RunTables>map(file -> new CopiedFile(file, cluster.trackers().get(0).process(), teller))
        .orElseGet(() -> new OnServers(cluster.databaseUrls(), cluster.databaseUser()));
  }

  /** Those on servers, of which a cluster has several. */
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
   * Copies of a file, which is never opened but by its tracker. At the end that stands still while
   * a copy is made, so that the copy is what a kill at this moment would have left. While there is
   * work it goes on, because the copy of a large file takes longer than a lease: a copy into which
   * it wrote what does not fit cannot be read, and is made again.
   */
  record CopiedFile(EmbeddedFile file, Node tracker, Consumer<String> teller) implements RunTables {
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
          teller.accept(tracker.name() + " did not end in time, and was killed");
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
