package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputCharsetTest {

  @Test
  void machineThatOnlyNamesAsciiGetsUtf8() {
    assertThat(printed(Charset.forName("ANSI_X3.4-1968")))
        .isEqualTo("每天".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void otherwiseTheCharsetOfTheMachineHolds() {
    Charset chinese = Charset.forName("GB18030");

    assertThat(printed(chinese)).isEqualTo("每天".getBytes(chinese));
  }

  private static byte[] printed(Charset machine) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.US_ASCII);
    OutputCharset.writer(stream, machine).append("每天").flush();
    return bytes.toByteArray();
  }
}
