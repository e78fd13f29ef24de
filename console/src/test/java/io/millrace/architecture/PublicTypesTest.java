package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What applications may use of the libraries is told by the package, and nothing else leaks. */
class PublicTypesTest {
  /** The packages whose public types are for applications, and the modules that they are in. */
  private static final Map<String, String> PUBLIC =
      Map.of(
          "io.millrace.api", "common",
          "io.millrace.jobclient", "job-client",
          "io.millrace.tasktracker", "task-tracker",
          "io.millrace.test", "test-kit",
          "io.millrace.spring", "spring-boot-starter");

  private static final Path PAGE = Path.of("../docs/decisions/0050-public-packages.md");
  private static final Pattern ROW =
      Pattern.compile("\\| `(io\\.millrace\\.\\w+)` \\| (\\d+) \\|.*");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("(?m)^public .*\\b(class|interface|enum|record) \\w+");

  /** A public type more is a decision: the page says how many there are, and why. */
  @Test
  void thePageSaysHowManyTypesApplicationsSee() throws IOException {
    Map<String, Integer> said = new TreeMap<>();
    Files.readAllLines(PAGE).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> said.put(row.group(1), Integer.valueOf(row.group(2))));
    Map<String, Integer> found = new TreeMap<>();
    for (Map.Entry<String, String> each : PUBLIC.entrySet()) {
      found.put(each.getKey(), publicTypes(sources(each.getValue(), each.getKey())));
    }

    assertThat(said).as("%s, which names each public type's reason", PAGE).isEqualTo(found);
  }

  /** The files of the packages for applications. */
  static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Map.Entry<String, String> each : PUBLIC.entrySet()) {
      try (Stream<Path> files = Files.list(sources(each.getValue(), each.getKey()))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  private static Path sources(String module, String packageName) {
    return Path.of("..", module, "src", "main", "java", packageName.replace('.', '/'));
  }

  private static int publicTypes(Path directory) throws IOException {
    int count = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        count += PUBLIC_TYPE.matcher(Files.readString(file)).find() ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void everythingElseOfTheLibrariesIsInternal() {
    assertThat(
            classes()
                .map(JavaClass::getPackageName)
                .filter(
                    name -> name.matches("io\\.millrace\\.(api|jobclient|tasktracker|test)\\b.*"))
                .filter(name -> !PUBLIC.containsKey(name) && !name.contains(".internal")))
        .isEmpty();
  }

  @Test
  void signaturesForApplicationsNameNoInternalType() {
    Set<JavaClass> types =
        classes()
            .filter(type -> PUBLIC.containsKey(type.getPackageName()))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(Collectors.toSet());

    assertThat(types).extracting(JavaClass::getSimpleName).contains("JobClient", "TestMillrace");
    assertThat(leaks(types)).isEmpty();
  }

  /** Its classes are not those of this module's tests, but its sources are here. */
  @Test
  void theStarterImportsNoInternalTypeWhereApplicationsLook() throws IOException {
    try (Stream<Path> files = Files.list(sources("spring-boot-starter", "io.millrace.spring"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file)).as("%s", file).doesNotContain(".internal.");
      }
    }
  }

  @Test
  void aSignatureWithAnInternalTypeIsFound() {
    JavaClass planted = ArchitectureRules.classes().get("io.millrace.internal.rpc.RpcConnector");

    assertThat(leaks(Set.of(planted))).isNotEmpty();
  }

  private static Stream<JavaClass> classes() {
    return Stream.concat(
        ArchitectureRules.classes().stream(), ArchitectureRules.classesOfTestKit().stream());
  }

  private static Set<String> leaks(Collection<JavaClass> types) {
    Set<String> leaks = new TreeSet<>();
    for (JavaClass type : types) {
      type.getCodeUnits().stream()
          .filter(unit -> isForUsers(unit.getModifiers()) && types(unit).anyMatch(isInternal()))
          .forEach(unit -> leaks.add(type.getSimpleName() + "." + unit.getName()));
      type.getFields().stream()
          .filter(field -> isForUsers(field.getModifiers()) && types(field).anyMatch(isInternal()))
          .forEach(field -> leaks.add(type.getSimpleName() + "." + field.getName()));
    }
    return leaks;
  }

  private static boolean isForUsers(Set<JavaModifier> modifiers) {
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  private static Stream<JavaClass> types(JavaCodeUnit unit) {
    Stream<JavaType> named =
        Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
    return Stream.concat(
        named.flatMap(type -> type.getAllInvolvedRawTypes().stream()),
        unit.getThrowsClause().getTypes().stream());
  }

  private static Stream<JavaClass> types(JavaField field) {
    return field.getType().getAllInvolvedRawTypes().stream();
  }

  private static Predicate<JavaClass> isInternal() {
    return type -> type.getPackageName().contains(".internal");
  }
}
