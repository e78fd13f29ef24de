package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Holds the build to its promise: both engines run, in a zone that nobody would forget by luck. */
class TestJvmTest {
  private static final ZoneId ZONE = ZoneId.systemDefault();

  @Test
  void testsRunInAZoneWhoseOffsetIsNotWholeHours() {
    int offset = ZONE.getRules().getOffset(Instant.EPOCH).getTotalSeconds();

    assertThat(offset % 3600).isNotZero();
  }

  @Property
  void epochMillisSurviveTheZone(@ForAll int seconds) {
    long millis = seconds * 1000L;

    assertThat(Instant.ofEpochMilli(millis).atZone(ZONE).toInstant().toEpochMilli())
        .isEqualTo(millis);
  }
}
