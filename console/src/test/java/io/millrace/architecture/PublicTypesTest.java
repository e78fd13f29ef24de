package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What applications may use of the libraries is told by the package, and nothing else leaks. */
class PublicTypesTest {
  /** The packages whose public types are for applications. */
  private static final Set<String> PUBLIC =
      Set.of("io.millrace.api", "io.millrace.jobclient", "io.millrace.tasktracker");

  /** Top-level types that an application has to know of; a new one is a decision. */
  private static final int MOST_TYPES = 60;

  /** With these a test or an embedding program gives the libraries its own clock and network. */
  private static final Set<String> HOOKS =
      Set.of(
          "JobClientBuilder.resources",
          "WorkerResources.clock",
          "WorkerResources.timer",
          "WorkerResources.connector");

  @Test
  void typesForApplicationsAreFew() {
    Set<String> types =
        types()
            .filter(type -> !type.getEnclosingClass().isPresent())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(types).contains("Job", "JobClient", "TaskTracker").hasSizeLessThan(MOST_TYPES + 1);
  }

  @Test
  void everythingElseOfTheLibrariesIsInternal() {
    assertThat(
            ArchitectureRules.classes().stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.matches("io\\.millrace\\.(api|jobclient|tasktracker)\\b.*"))
                .filter(name -> !PUBLIC.contains(name) && !name.contains(".internal")))
        .isEmpty();
  }

  @Test
  void signaturesForApplicationsNameNoInternalType() {
    assertThat(leaks(types().toList())).isEqualTo(HOOKS);
  }

  @Test
  void aSignatureWithAnInternalTypeIsFound() {
    JavaClass planted = ArchitectureRules.classes().get("io.millrace.internal.rpc.RpcConnector");

    assertThat(leaks(Set.of(planted))).isNotEmpty();
  }

  private static Stream<JavaClass> types() {
    return ArchitectureRules.classes().stream()
        .filter(type -> PUBLIC.contains(type.getPackageName()))
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC));
  }

  private static Set<String> leaks(Collection<JavaClass> types) {
    return types.stream()
        .flatMap(type -> type.getMethods().stream())
        .filter(method -> isForUsers(method) && namesAnInternalType(method))
        .map(method -> method.getOwner().getSimpleName() + "." + method.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isForUsers(JavaMethod method) {
    return method.getModifiers().contains(JavaModifier.PUBLIC)
        || method.getModifiers().contains(JavaModifier.PROTECTED);
  }

  private static boolean namesAnInternalType(JavaMethod method) {
    return Stream.concat(
            Stream.of(method.getRawReturnType()),
            Stream.concat(
                method.getRawParameterTypes().stream(),
                method.getThrowsClause().getTypes().stream()))
        .anyMatch(type -> type.getPackageName().contains(".internal"));
  }
}
