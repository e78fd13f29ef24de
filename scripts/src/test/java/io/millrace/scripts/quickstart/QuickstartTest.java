package io.millrace.scripts.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.CommandFailedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster over loopback, with a store in files. */
@Timeout(60)
class QuickstartTest {
  private static final DemoPorts ANY_PORTS = new DemoPorts(0, 0);

  private static final Pattern LAST_ATTEMPT =
      Pattern.compile("invoices +dies of its error .* 3/3 +worker-\\d +EXCEPTION");

  private final StringWriter out = new StringWriter();
  private final CountDownLatch asked = new CountDownLatch(1);

  /** Among them one that runs out of attempts, for which the quickstart alone would not wait. */
  @Test
  void onceShowsEveryKindOfJobAndEndsWhenTheyAreInTheLedger(@TempDir Path data) throws Exception {
    quickstart(
            limit -> {
              await().until(() -> LAST_ATTEMPT.matcher(out.toString()).find());
              return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
            })
        .runOnce(fileIn(data), ANY_PORTS);

    assertThat(out.toString())
        .contains("tracker on 127.0.0.1:", "store in jdbc:h2:file:" + data, "LATE ms")
        .containsPattern("(?m)^console: http://127\\.0\\.0\\.1:\\d+ +\\(open it in a browser\\)$")
        .containsPattern("(?m)^token: mrt_\\S+ +\\(admin; shown only once\\)$")
        .containsPattern("now +one-shot .* SUCCESS")
        .containsPattern("cron +cron, every 2 s .* SUCCESS")
        .containsPattern("repeat +every 1 s, 4 times .* SUCCESS")
        .containsPattern("flaky +fails twice .* 1/4 +worker-\\d +EXCEPTION")
        .contains("are completed in the store");
  }

  @Test
  void onceSaysWhatIsMissingWhenItIsAskedToEndBefore(@TempDir Path data) {
    assertThatThrownBy(() -> quickstart(limit -> true).runOnce(fileIn(data), ANY_PORTS))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("repeat (every 1 s, 4 times)");
  }

  @Test
  void runEndsWhenItIsAskedTo(@TempDir Path data) throws Exception {
    quickstart(limit -> true).run(fileIn(data), ANY_PORTS);

    assertThat(out.toString()).contains("stopping tracker on 127.0.0.1:");
  }

  private static StoreConfig fileIn(Path data) {
    return DataDirectory.open(data).store();
  }

  private Quickstart quickstart(Pause pause) {
    return new Quickstart(new SystemClock(), new PrintWriter(out, true), pause);
  }
}
