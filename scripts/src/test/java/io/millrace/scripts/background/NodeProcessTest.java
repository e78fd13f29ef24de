package io.millrace.scripts.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeProcessTest {
  @TempDir private Path directory;
  private NodeFiles files;
  private NodeProcess node;

  @BeforeEach
  void nameTheFiles() {
    files = NodeFiles.of(directory, Path.of("conf", "tracker.properties"));
    node = new NodeProcess(files);
  }

  @Test
  void filesAreNamedAfterTheConfiguration() {
    assertThat(files.pid()).isEqualTo(directory.resolve("tracker.pid"));
    assertThat(files.log()).isEqualTo(directory.resolve("tracker.log"));
  }

  @Test
  void withoutAPidFileThereIsNoNode() {
    assertThat(node.find()).isEmpty();
    assertThat(node.isRecorded()).isFalse();
  }

  @Test
  void strangerWithTheRecordedNumberIsNotTheNode() {
    node.record(ProcessHandle.current().pid());

    assertThat(node.find()).isEmpty();
    assertThat(node.isRecorded()).isTrue();
  }

  @Test
  void stopLeavesAStrangerWithTheRecordedNumberAlone() {
    node.record(ProcessHandle.current().pid());

    CommandRun run =
        CommandRun.of("stop", "--config", "tracker.properties", "--run-dir", directory.toString());

    assertThat(run.out()).contains("is not running", "removed its pid file");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(ProcessHandle.current().isAlive()).isTrue();
    assertThat(files.pid()).doesNotExist();
  }

  @Test
  void twoStartsCannotBothRecordTheirProcess() {
    node.record(1);

    assertThatThrownBy(() -> node.record(2))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining(files.pid().toString());
  }

  @Test
  void damagedPidFileIsNamed() throws IOException {
    Files.writeString(files.pid(), "not a number\n");

    assertThatThrownBy(node::find)
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining(files.pid().toString());
  }
}
