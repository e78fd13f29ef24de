package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** That the rules look at something, and that they can fail. */
class ArchitectureRulesTest {
  private static final ArchRule NO_CLASS_IS_DEPRECATED =
      ArchRuleDefinition.noClasses().should().beAnnotatedWith(Deprecated.class);

  @Test
  void rulesSeeTheMainClassesOfEveryModuleAndNoTests() {
    assertThat(ArchitectureRules.classes().stream().map(type -> type.getName()))
        .contains(
            "io.millrace.api.Job",
            "io.millrace.internal.protocol.PullRequest",
            "io.millrace.internal.codec.JsonCodec",
            "io.millrace.internal.rpc.Session",
            "io.millrace.internal.time.WheelTimer",
            "io.millrace.jobclient.internal.submit.SubmitPipeline",
            "io.millrace.tasktracker.internal.pull.package-info",
            "io.millrace.jobtracker.JobTracker",
            "io.millrace.jobtracker.store.jdbc.JdbcStores",
            "io.millrace.console.Console")
        .noneMatch(name -> name.endsWith("Test"))
        .noneMatch(name -> name.startsWith("io.millrace.architecture"));
  }

  @Test
  void aRuleThatOverlooksItsPlantedViolationIsNotKept() {
    String harmless =
        """
        package io.millrace.jobtracker.submit;
        class Harmless {}
        """;

    assertThatThrownBy(() -> ArchitectureRules.keeps(NO_CLASS_IS_DEPRECATED, harmless))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("class Harmless {}");
  }

  @Test
  void aRuleWithoutAPlantedViolationIsNotKept() {
    assertThatThrownBy(() -> ArchitectureRules.keeps(NO_CLASS_IS_DEPRECATED))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aPlantedSourceThatDoesNotCompileIsAnError() {
    assertThatThrownBy(
            () ->
                Planted.compiled(
                    """
                    package io.millrace.jobtracker.submit;
                    class Broken extends Missing {}
                    """))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Missing");
  }
}
