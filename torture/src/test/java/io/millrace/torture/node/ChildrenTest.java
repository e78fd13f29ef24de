package io.millrace.torture.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How processes of a run end. */
@Timeout(60)
class ChildrenTest {
  private static final int HEAP = 32;

  /** A process begins late on a machine that has much to do. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir Path directory;

  private Path log() {
    return directory.resolve("log");
  }

  private JvmNode node(Class<?> main) {
    return new JvmNode("child", start -> child(main));
  }

  private ChildJvm child(Class<?> main) {
    return ChildJvm.start(main, log(), HEAP, Arguments.none().with("directory", directory));
  }

  private void awaitFile(String name) {
    await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve(name)));
  }

  /** Closes in order when it is asked to. */
  static final class Orderly {
    public static void main(String[] words) throws IOException {
      Path directory = Arguments.of(words).path("directory");
      try (EndOfRun end = EndOfRun.watch()) {
        Files.writeString(directory.resolve("began"), "");
        end.asked().join();
        Files.writeString(directory.resolve("closed"), "");
      }
    }
  }

  /** Has nothing to do. */
  static final class Brief {
    public static void main(String[] words) {}
  }

  /** Never has closed. */
  static final class Endless {
    public static void main(String[] words) throws IOException, InterruptedException {
      Path directory = Arguments.of(words).path("directory");
      try (EndOfRun end = EndOfRun.watch()) {
        Files.writeString(directory.resolve("began"), "");
        end.asked().join();
        new CountDownLatch(1).await();
      }
    }
  }

  /** Starts a server as a run does, and has nothing else to do. */
  static final class Launching {
    public static void main(String[] words) throws IOException, InterruptedException {
      Path directory = Arguments.of(words).path("directory");
      Watched server =
          Watched.child(
              List.of("sh", "-c", "echo $$ >\"$0\"; exec sleep 60", directory + "/pid"),
              directory.resolve("server.log"));
      Files.writeString(directory.resolve("launched"), String.valueOf(server.isAlive()));
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aSignalIsAnOrderToClose() {
    JvmNode node = node(Orderly.class);
    node.start();
    awaitFile("began");

    assertThat(node.stop()).isTrue();

    assertThat(directory.resolve("closed")).exists();
    assertThat(node.revive()).isFalse();
  }

  @Test
  void aStopThatIsCutShortEndsWithAKill() {
    JvmNode node = node(Endless.class);
    node.start();
    awaitFile("began");

    assertThat(node.stopCutShort(0.1)).isTrue();

    assertThat(node.revive()).isFalse();
  }

  @Test
  void whatEndedByItselfIsBegunAgain() {
    JvmNode node = node(Brief.class);
    node.start();

    await().until(node::revive);

    node.kill();
  }

  @Test
  void aServerDiesWithTheRunThatStartedIt() throws IOException {
    ChildJvm run = child(Launching.class);
    awaitFile("launched");
    await().until(() -> !Files.readString(directory.resolve("pid")).isBlank());
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    assertThat(ProcessHandle.of(pid)).isPresent();

    run.kill();

    await().until(() -> ProcessHandle.of(pid).isEmpty());
  }
}
