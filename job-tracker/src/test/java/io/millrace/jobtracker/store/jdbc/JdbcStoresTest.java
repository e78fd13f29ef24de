package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

class JdbcStoresTest {
  /** A new H2 database costs little, and trackers do not collide in every round. */
  private static final int ROUNDS_ON_H2 = 12;

  @Test
  void fileHoldsWhatWasThereBeforeItWasClosed(@TempDir Path directory) {
    StoreConfig config = StoreConfig.of("jdbc:h2:file:" + directory.resolve("tracker"));
    NodeGroup made;
    try (JdbcStores first = JdbcStores.open(config)) {
      made = first.stores().nodeGroups().ensure("orders", 10);
    }

    try (JdbcStores second = JdbcStores.open(config)) {
      assertThat(second.stores().nodeGroups().all()).containsExactly(made);
    }
  }

  @Test
  void closingTwiceIsHarmless() {
    JdbcStores stores = JdbcStores.open(StoreConfig.of("jdbc:h2:mem:closing"));

    stores.close();
    stores.close();
  }

  /** Each opens the same empty schema and makes the tables, or finds them made. */
  @ParameterizedTest
  @EveryDatabase
  void trackersThatStartAtTheSameTimeOnAnEmptyDatabaseAllOpenIt(TestDatabase.Kind kind) {
    int rounds = kind == TestDatabase.Kind.H2 ? ROUNDS_ON_H2 : 1;
    for (int round = 0; round < rounds; round++) {
      startTogether(kind);
    }
  }

  private static void startTogether(TestDatabase.Kind kind) {
    try (TestDatabase database = kind.openEmpty();
        Racer racer = new Racer()) {
      Callable<List<NodeGroup>> start = () -> database.anotherTracker().nodeGroups().all();

      assertThat(racer.together(List.of(start, start, start))).containsOnly(List.of());
    }
  }
}
