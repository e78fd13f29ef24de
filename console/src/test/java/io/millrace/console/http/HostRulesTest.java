package io.millrace.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostRulesTest {
  private static final HostRules BEHIND_A_PROXY =
      new HostRules(true, List.of("Tracker.example.com"));

  @Test
  void aLoopbackAddressIsAskedByTheNamesThatAreListed() {
    assertThat(BEHIND_A_PROXY.admits("tracker.EXAMPLE.com:8443")).isTrue();
    assertThat(BEHIND_A_PROXY.admits("localhost")).isTrue();
    assertThat(BEHIND_A_PROXY.admits("other.example.com")).isFalse();
    assertThat(new HostRules(true, List.of(HostRules.ANY)).admits("other.example.com")).isTrue();
  }

  @Test
  void anotherAddressIsAskedByAnyNameUnlessSomeAreListed() {
    HostRules open = new HostRules(false, List.of());
    assertThat(open.admits("other.example.com")).isTrue();
    assertThat(open.admits("other.example.com:80; Path=/")).isFalse();
    assertThat(open.admits("other.example.com:123456")).isFalse();
    HostRules listed = new HostRules(false, List.of("tracker.example.com"));
    assertThat(listed.admits("tracker.example.com")).isTrue();
    assertThat(listed.admits("10.1.2.3:8081")).isTrue();
    assertThat(listed.admits("other.example.com")).isFalse();
  }

  @Test
  void anOriginIsThatOfTheHostOrOfAListedName() {
    HostRules rules = new HostRules(true, List.of());
    assertThat(rules.isForeign(null, "localhost:8081")).isFalse();
    assertThat(rules.isForeign("http://localhost:8081", "LOCALHOST:8081")).isFalse();
    assertThat(rules.isForeign("http://localhost:8082", "localhost:8081")).isTrue();
    assertThat(rules.isForeign("http://evil.example", "localhost:8081")).isTrue();
    assertThat(rules.isForeign("null", "localhost:8081")).isTrue();
    assertThat(rules.isForeign("http://evil.example", null)).isTrue();
    assertThat(BEHIND_A_PROXY.isForeign("https://tracker.example.com", "127.0.0.1:8081")).isFalse();
    assertThat(BEHIND_A_PROXY.isForeign("https://evil.example", "127.0.0.1:8081")).isTrue();
  }

  @Test
  void thePortIsWhatTheHeaderSays() {
    assertThat(HostRules.portOf("localhost:8081")).isEqualTo("8081");
    assertThat(HostRules.portOf("[::1]:8081")).isEqualTo("8081");
    assertThat(HostRules.portOf("[::1]")).isEmpty();
    assertThat(HostRules.portOf("tracker.example.com")).isEmpty();
  }
}
