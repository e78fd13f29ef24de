package io.millrace.scripts.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.Millrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CompletionCommandTest {
  @TempDir private Path directory;

  @Test
  void bashCompletesEveryCommand() throws IOException, InterruptedException {
    assertThat(completed("millrace", ""))
        .containsAll(Millrace.commandLine().getSubcommands().keySet());
    assertThat(completed("millrace", "tok")).containsExactlyInAnyOrder("token", "tokens");
    assertThat(completed("millrace", "token", "")).contains("issue", "revoke");
  }

  @Test
  void bashCompletesOptionsAndTheirValues() throws IOException, InterruptedException {
    assertThat(completed("millrace", "audit", "--op")).containsExactly("--operator");
    assertThat(completed("millrace", "token", "issue", "--role", ""))
        .containsExactly("VIEW", "OPERATE", "ADMIN");
  }

  /** What bash offers for the last of these words. */
  private List<String> completed(String... words) throws IOException, InterruptedException {
    CommandRun printed = CommandRun.of("completion");
    assertThat(printed.error()).isEmpty();
    assertThat(printed.exitCode()).isEqualTo(ExitCode.OK);
    Path script = Files.writeString(directory.resolve("completion"), printed.out());
    // compopt is for the shell's own completion alone, which nobody runs here.
    String asked =
        "compopt() { :; }; source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_millrace; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, quoted(words), words.length - 1);
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", asked).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    return said.lines().map(String::strip).toList();
  }

  private static String quoted(String... words) {
    return "'" + String.join("' '", words) + "'";
  }
}
