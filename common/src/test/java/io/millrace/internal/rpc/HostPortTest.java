package io.millrace.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:35001", "tracker-1.example:0", "[::1]:65535"})
  void addressesAreReadAsTheyWereWritten(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "35001",
        "host",
        "host:",
        ":1",
        "host:65536",
        "host:-1",
        "host:+1",
        "::1:35001",
        "a b:1",
        "http://host:1",
        "[::1:1",
        "host:1,other:2"
      })
  void whatIsNoAddressIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessageStartingWith("'" + text + "' is not host:port: ");
  }
}
