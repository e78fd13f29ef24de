package io.millrace.scripts;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The charset of the output: the platform's charset, or UTF-8 if the platform names only ASCII, as
 * containers do, so that non-English text is printed intact.
 */
final class OutputCharset {
  private static final String OF_THE_MACHINE = "native.encoding";

  private OutputCharset() {}

  /** Returns a writer to one of the streams of this process. */
  static PrintWriter writer(PrintStream stream) {
    String machine = System.getProperty(OF_THE_MACHINE, StandardCharsets.UTF_8.name());
    return writer(stream, Charset.forName(machine));
  }

  static PrintWriter writer(PrintStream stream, Charset machine) {
    Charset charset = machine.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : machine;
    return new PrintWriter(stream, true, charset);
  }
}
