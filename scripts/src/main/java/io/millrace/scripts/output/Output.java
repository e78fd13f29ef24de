package io.millrace.scripts.output;

import io.millrace.scripts.api.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The output of a command: the API's responses unchanged, for programs, or formatted for people.
 * Used by one thread.
 */
public final class Output {
  private final PrintWriter out;
  private final PrintWriter error;
  private final boolean json;
  private final Terminal terminal;

  /**
   * @param json whether the output is for programs
   */
  public Output(PrintWriter out, PrintWriter error, boolean json, Terminal terminal) {
    this.out = out;
    this.error = error;
    this.json = json;
    this.terminal = terminal;
  }

  /** Prints a response: unchanged, or formatted by {@code forPeople}. */
  public <T> void show(Answer<T> answer, BiConsumer<T, PrintWriter> forPeople) {
    if (json) {
      out.println(answer.text());
    } else {
      forPeople.accept(answer.value(), out);
    }
    out.flush();
  }

  /** Reports in one line what was done; only to people. */
  public void say(String line) {
    if (!json) {
      out.println(Cell.line(line));
      out.flush();
    }
  }

  /** Prints additional information on the error stream. */
  public void note(String line) {
    error.println(line);
    error.flush();
  }

  /**
   * Returns whether the reader closed the output, as {@code head} does when it has enough lines.
   */
  public boolean isLeft() {
    return out.checkError();
  }

  /** Returns whether the output is for programs. */
  public boolean isJson() {
    return json;
  }

  public PrintWriter out() {
    return out;
  }

  /**
   * Asks a person a question that is answered with y or n, and returns whether it was y.
   *
   * @param answers what the person types
   */
  public boolean confirms(String question, BufferedReader answers) throws IOException {
    error.print(question + " [y/N] ");
    error.flush();
    String answer = answers.readLine();
    return answer != null && Set.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT));
  }

  /** Returns whether a person can be asked: reads the questions and types answers. */
  public boolean canAsk() {
    return terminal.in() && terminal.error();
  }

  /**
   * Shows the progress of work that prints nothing until its end.
   *
   * @param total negative if unknown
   */
  public Progress progress(String work, long total) {
    return Progress.begin(terminal, error, work, total);
  }

  /** Shows the progress of work that prints as it goes, unless its output goes to the terminal. */
  public Progress progressOfPrinting(String work) {
    return Progress.begin(
        new Terminal(terminal.in(), terminal.out(), terminal.error() && !terminal.out()),
        error,
        work,
        -1);
  }
}
