package io.millrace.scripts.option.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TokenSourceTest {
  @TempDir private Path directory;

  @Test
  void fileWinsOverTheEnvironmentAndLosesItsLineEnd() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "from-file\n");
    TokenSource source = new TokenSource(Map.of("MILLRACE_TOKEN", "from-environment"));

    CommandLine.populateCommand(source, "--token-file", file.toString());

    assertThat(source.token()).contains("from-file");
  }

  @Test
  void environmentIsUsedWithoutAFile() {
    assertThat(new TokenSource(Map.of("MILLRACE_TOKEN", "secret")).token()).contains("secret");
  }

  @Test
  void emptyVariableMeansNoToken() {
    assertThat(new TokenSource(Map.of("MILLRACE_TOKEN", " ")).token()).isEmpty();
    assertThat(new TokenSource(Map.of()).token()).isEmpty();
  }
}
