package io.millrace.internal.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoftwareVersionTest {

  @Test
  void versionIsTheOneThatTheBuildWroteIntoTheJar() {
    assertThat(SoftwareVersion.read("/io/millrace/internal/rpc/pom.properties")).isEqualTo("1.4.0");
  }

  @Test
  void withoutAJarThereIsNone() {
    assertThat(SoftwareVersion.read("/io/millrace/internal/rpc/none.properties")).isNull();
    assertThat(SoftwareVersion.read("/io/millrace/internal/rpc/empty.properties")).isNull();
  }
}
