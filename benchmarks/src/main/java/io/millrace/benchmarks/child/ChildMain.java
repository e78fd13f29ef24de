package io.millrace.benchmarks.child;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.contender.PartKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The process of a part of a contender. Reads one command per line of its input and answers each
 * with a line: {@code {"ok": …}} or {@code {"failed": "why"}}. Ends as soon as its input ends, and
 * therefore with its parent process. All other output goes to the error stream.
 */
final class ChildMain {
  static final String OK = "ok";
  static final String FAILED = "failed";

  private ChildMain() {}

  /** Takes the name of a {@link PartKind}. */
  public static void main(String[] words) throws InterruptedException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(lines), "bench-input");
    reader.setDaemon(true);
    reader.start();
    Commands commands = new Commands(PartKind.valueOf(words[0]).make());
    while (true) {
      answers.println(answer(commands, lines.take()));
      answers.flush();
    }
  }

  /**
   * Reads the input on a separate thread, which detects the end of the input even during a long
   * command.
   */
  private static void read(BlockingQueue<String> lines) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException broken) {
      System.err.println("cannot read the input: " + broken);
    }
    System.exit(0);
  }

  private static String answer(Commands commands, String line) {
    try {
      return JSON.toJSONString(JSONObject.of(OK, commands.run(JSON.parseObject(line))));
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      return JSON.toJSONString(JSONObject.of(FAILED, reason(e)));
    }
  }

  private static String reason(Throwable failure) {
    StringBuilder reason = new StringBuilder(failure.toString());
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      reason.append("; because of ").append(cause);
    }
    return reason.toString().replace('\n', ' ');
  }
}
