package io.millrace.scripts.output;

import io.millrace.scripts.api.Answer;
import java.io.PrintWriter;
import java.util.function.BiConsumer;

/**
 * Where a command shows what it was answered: as the API said it, for programs, or made fit for
 * people. Used by one thread.
 */
public final class Output {
  private final PrintWriter out;
  private final PrintWriter error;
  private final boolean json;
  private final Terminal terminal;

  /**
   * @param json whether a program reads it
   */
  public Output(PrintWriter out, PrintWriter error, boolean json, Terminal terminal) {
    this.out = out;
    this.error = error;
    this.json = json;
    this.terminal = terminal;
  }

  /** Shows an answer: to the letter, or as {@code forPeople} prints it. */
  public <T> void show(Answer<T> answer, BiConsumer<T, PrintWriter> forPeople) {
    if (json) {
      out.println(answer.text());
    } else {
      forPeople.accept(answer.value(), out);
    }
    out.flush();
  }

  /** Says in one line what was done; to people alone. */
  public void say(String line) {
    if (!json) {
      out.println(Cell.line(line));
      out.flush();
    }
  }

  /** Says something besides what was asked for, on the error stream. */
  public void note(String line) {
    error.println(line);
    error.flush();
  }

  /** Whether whoever read it has left, such as a {@code head} that had enough. */
  public boolean isLeft() {
    return out.checkError();
  }

  /** Whether a program reads it. */
  public boolean isJson() {
    return json;
  }

  public PrintWriter out() {
    return out;
  }

  /**
   * Shows how far work has come that prints nothing until its end.
   *
   * @param total negative if that is not known
   */
  public Progress progress(String work, long total) {
    return Progress.begin(terminal, error, work, total);
  }

  /** Shows how far work has come that prints as it goes, unless that is seen anyway. */
  public Progress progressOfPrinting(String work) {
    return Progress.begin(
        new Terminal(terminal.out(), terminal.error() && !terminal.out()), error, work, -1);
  }
}
