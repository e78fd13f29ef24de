package io.millrace.scripts.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessNameTest {
  @TempDir private Path directory;

  @Test
  void nameSaysUserHostAndProcess() {
    assertThat(ProcessName.ofThisProcess())
        .startsWith(System.getProperty("user.name") + "@")
        .endsWith("#" + ProcessHandle.current().pid());
  }

  @Test
  void hostComesFromTheEnvironmentOrTheMachinesFile() throws IOException {
    Path file = Files.writeString(directory.resolve("hostname"), "build-7\n");
    Path missing = directory.resolve("missing");

    assertThat(ProcessName.host(Map.of("HOSTNAME", "pod-1"), file)).isEqualTo("pod-1");
    assertThat(ProcessName.host(Map.of("COMPUTERNAME", "DESK"), missing)).isEqualTo("DESK");
    assertThat(ProcessName.host(Map.of("HOSTNAME", " "), file)).isEqualTo("build-7");
    assertThat(ProcessName.host(Map.of(), missing)).isNotBlank();
  }
}
