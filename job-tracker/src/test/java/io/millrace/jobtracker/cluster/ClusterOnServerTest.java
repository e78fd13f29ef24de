package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("database")
@Tag("long")
class ClusterOnServerTest extends ClusterContract {

  @BeforeAll
  static void runOnAServer() {
    runTheWorkload(TestDatabase.Kind.server().open());
  }
}
