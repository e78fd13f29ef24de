package io.millrace.scripts.option.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OperatorTokenSourceTest {
  @TempDir private Path directory;

  @Test
  void fileWinsOverTheEnvironmentAndLosesItsLineEnd() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "mrt_file\n");
    OperatorTokenSource source =
        new OperatorTokenSource(Map.of("MILLRACE_OPERATOR_TOKEN", "mrt_environment"));

    CommandLine.populateCommand(source, "--token-file", file.toString());

    assertThat(source.token()).contains("mrt_file");
  }

  @Test
  void environmentIsUsedWithoutAFileAndATokenOfApplicationsIsNot() {
    Map<String, String> both =
        Map.of("MILLRACE_OPERATOR_TOKEN", " mrt_x ", "MILLRACE_TOKEN", "secret");

    assertThat(new OperatorTokenSource(both).token()).contains("mrt_x");
    assertThat(new TokenSource(both).token()).contains("secret");
    assertThat(new TokenSource(both).operatorToken()).contains("mrt_x");
    assertThat(new OperatorTokenSource(Map.of("MILLRACE_TOKEN", "secret")).token()).isEmpty();
  }
}
