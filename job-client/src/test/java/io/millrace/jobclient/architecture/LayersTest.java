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
          Set.of("resources", "results", "outbox", "submit", "calls", "wiring"));

  @Test
  void packagesFormNoCycles() {
    ArchRule rule = slices().matching("io.millrace.(**)").should().beFreeOfCycles();

    Rules.checkReports(
        rule,
        """
        package io.millrace.jobclient.outbox;
        public class Below { io.millrace.jobclient.submit.Above above; }
        """,
        """
        package io.millrace.jobclient.submit;
        public class Above { io.millrace.jobclient.outbox.Below below; }
        """);
    Rules.checkReports(
        rule,
        """
        package io.millrace.jobclient.submit;
        public class Below { io.millrace.jobclient.Api api; }
        """,
        """
        package io.millrace.jobclient;
        public class Api { io.millrace.jobclient.submit.Below below; }
        """);
    rule.check(Rules.CLASSES);
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
    "'',        request.JobKey"
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
