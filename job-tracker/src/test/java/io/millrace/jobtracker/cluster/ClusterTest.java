package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest extends ClusterContract {

  @BeforeAll
  static void runOnAFile(@TempDir Path directory) {
    runTheWorkload(TestDatabase.h2(directory));
  }
}
