package io.millrace.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.TraceContext;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE_ID + "-00f067aa0ba902b7-01";

  @ParameterizedTest
  @ValueSource(
      strings = {
        PARENT,
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "00-00000000000000000000000000000001-0000000000000001-ff",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like"
      })
  void parentOfTheFormIsGood(String parent) {
    assertThat(new TraceContext(parent, null).fault()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-with a blank",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01"
      })
  void anyOtherParentIsAFault(String parent) {
    assertThat(new TraceContext(parent, null).fault()).startsWith("the trace parent must have");
  }

  @Test
  void parentIsBounded() {
    String ofTheFuture = "01" + PARENT.substring(2) + "-";
    String longest = ofTheFuture + "x".repeat(TraceContext.MAX_PARENT_CHARS - ofTheFuture.length());

    assertThat(new TraceContext(longest, null).fault()).isNull();
    assertThat(new TraceContext(longest + "x", null).fault()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "vendor=1",
        "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
        "a=1, b=2 ,\tc=3",
        "a=1,,b=2",
        "tenant@vendor=opaque value",
        "0n3_*-/=!~"
      })
  void stateOfTheFormIsGood(String state) {
    assertThat(new TraceContext(PARENT, state).fault()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"vendor", "=1", "vendor=", "Vendor=1", "a=1,b", "a=b=c", "a=\u00fc", "a=1\n2"})
  void anyOtherStateIsAFault(String state) {
    assertThat(new TraceContext(PARENT, state).fault()).contains("trace state");
  }

  @Test
  void stateIsBounded() {
    assertThat(new TraceContext(PARENT, states(32)).fault()).isNull();
    assertThat(new TraceContext(PARENT, states(33)).fault()).contains("33 members; at most 32");
    String longest = "a=" + "x".repeat(254) + ",b=" + "x".repeat(253);
    assertThat(new TraceContext(PARENT, longest).fault()).isNull();
    assertThat(new TraceContext(PARENT, longest + "x").fault())
        .isEqualTo("the trace state has 513 characters; at most 512 are allowed");
  }

  private static String states(int count) {
    return String.join(",", Collections.nCopies(count, "a=1"));
  }

  @Test
  void traceIdIsPartOfTheParent() {
    assertThat(new TraceContext(PARENT, null).traceId()).isEqualTo(TRACE_ID);
  }

  @Test
  void jobIsPartOfATraceIfItHasAParent() {
    assertThat(Job.builder("orders", "close").build().trace()).isNull();
    assertThat(Job.builder("orders", "close").traceState("a=1").build().trace()).isNull();
    assertThat(Job.builder("orders", "close").traceParent(PARENT).traceState("a=1").build().trace())
        .isEqualTo(new TraceContext(PARENT, "a=1"));
  }
}
