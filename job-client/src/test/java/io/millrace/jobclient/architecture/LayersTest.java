package io.millrace.jobclient.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.millrace.jobclient.architecture.Rules.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which package of the client may use which. */
class LayersTest {
  private static final String API = "";

  /** What each package uses of the others. */
  private static final Map<String, Set<String>> USES =
      Map.of(
          "request",
          Set.of(),
          "resources",
          Set.of(),
          "results",
          Set.of(),
          "outbox",
          Set.of("request", "resources"),
          "submit",
          Set.of("request", "outbox"),
          "calls",
          Set.of("request", "outbox", "submit"),
          "metrics",
          Set.of("request", "outbox", "submit"),
          "wiring",
          Set.of("request", "resources", "results", "outbox", "submit", "calls", "metrics"),
          API,
          Set.of("request", "resources", "results", "outbox", "submit", "calls", "wiring"));

  @Test
  void packagesFormNoCycles() {
    ArchRule rule = slices().matching("io.millrace.(**)").should().beFreeOfCycles();

    checkCycle(rule, "outbox", "submit");
    checkCycle(rule, "submit", API);
    rule.check(Rules.CLASSES);
  }

  private static void checkCycle(ArchRule rule, String one, String other) {
    String[] sources = {
      """
      package %s;
      public class One { %s.Other other; }
      """
          .formatted(packageOf(one), packageOf(other)),
      """
      package %s;
      public class Other { %s.One one; }
      """
          .formatted(packageOf(other), packageOf(one))
    };
    Rules.checkReports(rule, Rules.compiled(sources), String.join("", sources));
  }

  @ParameterizedTest
  @CsvSource({
    "request,   submit.SubmitPipeline",
    "resources, request.JobKey",
    "results,   JobClient",
    "outbox,    submit.SubmitPipeline",
    "submit,    JobSubmitException",
    "calls,     JobCallException",
    "metrics,   calls.JobCalls",
    "wiring,    JobClientBuilder",
    "'',        metrics.ClientMeters"
  })
  void packagesUseOnlyThoseBelow(String user, String tooHigh) {
    String[] allowed =
        Stream.concat(Stream.of(user), USES.get(user).stream())
            .map(LayersTest::packageOf)
            .toArray(String[]::new);
    Rules.check(
        noClasses()
            .that()
            .resideInAPackage(packageOf(user))
            .should()
            .dependOnClassesThat(
                resideInAPackage(ROOT + "..")
                    .and(DescribedPredicate.not(resideInAnyPackage(allowed)))),
        """
        package %s;
        class Planted { %s.%s other; }
        """
            .formatted(packageOf(user), ROOT, tooHigh));
  }

  private static String packageOf(String name) {
    return name.equals(API) ? ROOT : ROOT + "." + name;
  }

  @Test
  void everyPackageHasItsRule() {
    Set<String> packages =
        Rules.CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

    assertThat(new TreeSet<>(packages))
        .isEqualTo(
            USES.keySet().stream()
                .map(LayersTest::packageOf)
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
