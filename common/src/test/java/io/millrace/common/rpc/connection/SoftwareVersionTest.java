package io.millrace.common.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoftwareVersionTest {

  @Test
  void versionIsTheOneThatTheBuildWroteIntoTheJar() {
    assertThat(SoftwareVersion.read("/io/millrace/common/rpc/pom.properties")).isEqualTo("1.4.0");
  }

  @Test
  void withoutAJarThereIsNone() {
    assertThat(SoftwareVersion.read("/io/millrace/common/rpc/none.properties")).isNull();
    assertThat(SoftwareVersion.read("/io/millrace/common/rpc/empty.properties")).isNull();
  }
}
