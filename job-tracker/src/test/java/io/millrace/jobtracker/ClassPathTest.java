package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tracker is complete without a console, and brings none of what a console needs. */
class ClassPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.millrace.console.Console",
        "io.netty.handler.codec.http.HttpServerCodec",
        "io.vertx.core.Vertx",
        "jakarta.mail.Session"
      })
  void noHttpServerMailOrPageIsOnTheClassPath(String type) {
    assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
  }
}
