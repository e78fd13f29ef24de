package io.millrace.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import org.junit.jupiter.api.Test;

class NamedThreadsTest {

  @Test
  void threadsAreNumberedFromOne() {
    NamedThreads threads = NamedThreads.daemon("preload");

    assertThat(threads.newThread(() -> {}).getName()).isEqualTo("preload-1");
    assertThat(threads.newThread(() -> {}).getName()).isEqualTo("preload-2");
  }

  @Test
  void daemonFlagIsTheCallersChoiceAndNotTheCreatingThreads() {
    assertThat(NamedThreads.daemon("a").newThread(() -> {}).isDaemon()).isTrue();
    assertThat(NamedThreads.user("a").newThread(() -> {}).isDaemon()).isFalse();
  }

  @Test
  void deathOfAThreadIsLoggedWithItsName() throws Exception {
    try (LogCapture log = new LogCapture(NamedThreads.class)) {
      Thread thread =
          NamedThreads.daemon("doomed")
              .newThread(
                  () -> {
                    throw new IllegalStateException("broken");
                  });
      thread.start();
      thread.join();

      assertThat(log.lines()).containsExactly("ERROR thread doomed-1 died");
    }
  }
}
