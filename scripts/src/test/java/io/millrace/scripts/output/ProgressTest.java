package io.millrace.scripts.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.api.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter error = new StringWriter();

  @Test
  void terminalShowsABarAndNothingOfItIsLeft() {
    try (Progress progress = output(new Terminal(false, false, true)).progress("replay", 4)) {
      progress.to(3);
      progress.of(3);
    }

    String[] shown = error.toString().split("\r");
    assertThat(shown[shown.length - 2]).contains("replay", "100%", "3/3");
    assertThat(shown[shown.length - 1]).isBlank();
    assertThat(error.toString()).endsWith("\r");
    assertThat(out).hasToString("");
  }

  @Test
  void streamThatNobodyLooksAtShowsNothing() {
    try (Progress progress = output(new Terminal(false, true, false)).progress("replay", 4)) {
      progress.to(3);
    }

    assertThat(error).hasToString("");
  }

  @Test
  void whatPrintsAsItGoesShowsNoBarBetweenItsLines() {
    try (Progress progress = output(new Terminal(false, true, true)).progressOfPrinting("rows")) {
      progress.to(3);
    }
    assertThat(error).hasToString("");

    try (Progress progress = output(new Terminal(false, false, true)).progressOfPrinting("rows")) {
      progress.to(3);
    }
    assertThat(error.toString()).contains("rows", "3/?");
  }

  @Test
  void questionIsAnsweredWithYes() throws IOException {
    for (String yes : List.of("y\n", "Yes\n", " y ")) {
      assertThat(asked().confirms("sure?", new BufferedReader(new StringReader(yes)))).isTrue();
    }
    for (String no : List.of("", "\n", "n\n", "yep\n")) {
      assertThat(asked().confirms("sure?", new BufferedReader(new StringReader(no)))).isFalse();
    }
    assertThat(error.toString()).startsWith("sure? [y/N] ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void personIsAskedWhoSeesTheQuestionAndTypesTheAnswer() {
    assertThat(asked().canAsk()).isTrue();
    assertThat(output(new Terminal(false, true, true)).canAsk()).isFalse();
    assertThat(output(new Terminal(true, true, false)).canAsk()).isFalse();
  }

  private Output asked() {
    return output(new Terminal(true, false, true));
  }

  @Test
  void scriptThatStartsTheProcessSaysWhichStreamsAreATerminal() {
    assertThat(Terminal.of(Map.of())).isEqualTo(new Terminal(false, false, false));
    assertThat(Terminal.of(Map.of("MILLRACE_TERMINAL", "out err")))
        .isEqualTo(new Terminal(false, true, true));
    assertThat(Terminal.of(Map.of("MILLRACE_TERMINAL", "in out err")))
        .isEqualTo(new Terminal(true, true, true));
    assertThat(Terminal.of(Map.of("MILLRACE_TERMINAL", "err")))
        .isEqualTo(new Terminal(false, false, true));
  }

  @Test
  void programsReadTheLetterOfTheAnswerAndNothingElse() {
    Output forPrograms =
        new Output(writer(out), writer(error), true, new Terminal(false, false, false));

    forPrograms.show(new Answer<>("{ \"a\":1}", 1), (value, to) -> to.println("one"));
    forPrograms.say("done");

    assertThat(out).hasToString("{ \"a\":1}\n");
  }

  @Test
  void readerThatHasHadEnoughIsNoticed() {
    Writer broken =
        new Writer() {
          @Override
          public void write(char[] text, int from, int count) throws IOException {
            throw new IOException("broken pipe");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Output output =
        new Output(
            new PrintWriter(broken), writer(error), false, new Terminal(false, false, false));

    assertThat(output.isLeft()).isFalse();
    output.say("a line");
    assertThat(output.isLeft()).isTrue();
  }

  private Output output(Terminal terminal) {
    return new Output(writer(out), writer(error), false, terminal);
  }

  private static PrintWriter writer(StringWriter to) {
    return new PrintWriter(to, true);
  }
}
