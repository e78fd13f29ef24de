package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the examples of docs/scheduling.md against the command. */
class SchedulingPageTest {
  private static final Path DOCS = Path.of("..", "docs");

  /** A call, and what it prints up to the next empty line or the end of the block. */
  private static final Pattern EXAMPLE =
      Pattern.compile(
          "(?m)^\\$ millrace next --cron '(.*)' --zone (\\S+) --from (\\S+) --count (\\d+)\\n"
              + "((?:\\d.*\\n)*)");

  @Test
  void everyExampleOfThePageIsWhatTheCommandPrints() throws IOException {
    List<MatchResult> examples =
        EXAMPLE.matcher(Files.readString(DOCS.resolve("scheduling.md"))).results().toList();

    assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
    for (MatchResult example : examples) {
      CommandRun run =
          CommandRun.of(
              "next",
              "--cron",
              example.group(1),
              "--zone",
              example.group(2),
              "--from",
              example.group(3),
              "--count",
              example.group(4));
      assertThat(run.out()).as(example.group(1)).isEqualTo(example.group(5));
    }
  }

  @Test
  void wordsOfThePageAreThoseOfTheCommand() throws IOException {
    MatchResult example =
        Pattern.compile("millrace next --cron '(.*)' --zone \\S+ +# \"(.*)\"")
            .matcher(Files.readString(DOCS.resolve("scheduling.md")))
            .results()
            .findFirst()
            .orElseThrow();

    CommandRun run = CommandRun.of("next", "--cron", example.group(1), "--language", "en");
    assertThat(run.error().strip()).isEqualTo(example.group(2));
  }
}
