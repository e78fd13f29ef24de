package io.millrace.jobtracker.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreConfigTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:h2:./data/tracker               | jdbc:h2:./data/tracker;WRITE_DELAY=0;MAX_COMPACT_TIME=0;OPTIMIZE_REUSE_RESULTS=FALSE;%s
          jdbc:h2:file:/var/tracker;MODE=MySQL | jdbc:h2:file:/var/tracker;MODE=MySQL;WRITE_DELAY=0;MAX_COMPACT_TIME=0;OPTIMIZE_REUSE_RESULTS=FALSE;%s
          jdbc:h2:~/t;write_delay=500          | jdbc:h2:~/t;write_delay=500;MAX_COMPACT_TIME=0;OPTIMIZE_REUSE_RESULTS=FALSE;%s
          jdbc:h2:~/t;max_compact_time=9       | jdbc:h2:~/t;max_compact_time=9;WRITE_DELAY=0;OPTIMIZE_REUSE_RESULTS=FALSE;%s
          jdbc:h2:mem:t                        | jdbc:h2:mem:t;%s
          jdbc:mysql://db/millrace             | jdbc:mysql://db/millrace
          """)
  void h2KeepsWhatItAcknowledgesUnlessToldOtherwise(String url, String effective) {
    assertThat(StoreConfig.of(url).effectiveUrl())
        .isEqualTo(effective.formatted("DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=64"));
  }

  @Test
  void urlGoesBeforeWhatTheDriverIsToldBeside() {
    String url =
        "jdbc:mysql://db/x?cachepreparedstatements=1&sockettimeout=1&useServerPrepStmts=false";

    assertThat(StoreConnections.driverProperties(StoreConfig.of(url)))
        .doesNotContainKeys("useServerPrepStmts", "socketTimeout")
        .containsEntry("cachePrepStmts", "true")
        .containsEntry("connectTimeout", "5000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mysql://db/x?emulateUnsupportedPstmts=true",
        "jdbc:mysql://db/x?a=b&emulateunsupportedpstmts=YES",
        "jdbc:mysql://(host=db,emulateUnsupportedPstmts = 1)/x"
      })
  void driverMustNotContinueWhatAClusterHasAborted(String url) {
    assertThatThrownBy(() -> StoreConfig.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("store url: emulateUnsupportedPstmts must be false");
  }

  @Test
  void driverIsToldNotToContinueWhatAClusterHasAborted() {
    assertThat(StoreConnections.driverProperties(StoreConfig.of("jdbc:mysql://db/x")))
        .containsEntry("emulateUnsupportedPstmts", "false");
    assertThat(
            StoreConfig.of("jdbc:mysql://db/x?emulateUnsupportedPstmts=false&socketTimeout=1")
                .url())
        .endsWith("socketTimeout=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:h2:./data/tracker                            | 1
          jdbc:mysql://db/x?a=b,c                           | 1
          jdbc:mysql://db1,db2:3307,db3/x                   | 3
          jdbc:mysql://address=(host=db1),address=(host=db2)/x | 2
          """)
  void hostsOfTheUrlAreCounted(String url, int hosts) {
    assertThat(StoreConfig.of(url).hosts()).isEqualTo(hosts);
  }

  @Test
  void urlOfAnotherDatabaseIsRefusedWithoutItsPassword() {
    assertThatThrownBy(() -> StoreConfig.of("jdbc:postgresql://me:secret@db/x?password=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "store url 'jdbc:postgresql://db/x' must start with jdbc:h2: or with jdbc:mysql:"
                + " (also for MariaDB)");
  }

  @Test
  void numbersOutOfBoundsAreRefusedByName() {
    assertThatThrownBy(() -> new StoreConfig("jdbc:h2:x", "", "", 0, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("store pool size 0 must be between 1 and 1000");
    assertThatThrownBy(() -> new StoreConfig("jdbc:h2:x", "", "", 1, Duration.ofMillis(249)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0.249S");
  }

  @Test
  void passwordIsNeverPrinted() {
    StoreConfig config = StoreConfig.of("jdbc:mysql://db/x?password=secret", "me", "secret");

    assertThat(config.toString()).contains("jdbc:mysql://db/x", "me").doesNotContain("secret");
  }

  @Test
  void databaseThatDoesNotAnswerIsNamed() {
    StoreConfig config =
        new StoreConfig(
            "jdbc:mysql://127.0.0.1:1/x?password=secret", "me", "", 1, Duration.ofSeconds(1));

    assertThatThrownBy(() -> JdbcStores.open(config))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("jdbc:mysql://127.0.0.1:1/x")
        .hasMessageNotContaining("secret");
  }
}
