package io.millrace.scripts;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The charset of what is printed: the machine's, and UTF-8 where the machine only names ASCII, as
 * containers do, so that words which are not English arrive whole.
 */
final class OutputCharset {
  private static final String OF_THE_MACHINE = "native.encoding";

  private OutputCharset() {}

  /** A writer on one of the streams of this process. */
  static PrintWriter writer(PrintStream stream) {
    String machine = System.getProperty(OF_THE_MACHINE, StandardCharsets.UTF_8.name());
    return writer(stream, Charset.forName(machine));
  }

  static PrintWriter writer(PrintStream stream, Charset machine) {
    Charset charset = machine.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : machine;
    return new PrintWriter(stream, true, charset);
  }
}
