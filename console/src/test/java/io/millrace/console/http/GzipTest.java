package io.millrace.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipTest {
  private static final byte[] TEXT =
      "the same line again\n".repeat(500).getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "gzip, deflate, br",
        "br;q=1.0, GZIP;q=0.8",
        "*",
        "identity, gzip; q=0.001",
        "*;q=0, gzip"
      })
  void clientThatTakesItSaysSo(String header) {
    assertThat(Gzip.isAccepted(header)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "br", "identity", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "gzipped"})
  void otherClientGetsItAsItIs(String header) {
    assertThat(Gzip.isAccepted(header)).isFalse();
  }

  @Test
  void bytesComeBack() throws IOException {
    assertThat(unpacked(Gzip.best(TEXT))).isEqualTo(TEXT);
    assertThat(unpacked(Gzip.fast(TEXT))).isEqualTo(TEXT);
    assertThat(Gzip.best(TEXT)).hasSizeLessThan(TEXT.length / 20);
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
