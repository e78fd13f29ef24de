package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.api.Job;
import io.millrace.console.Console;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.util.List;

/**
 * The main classes of all libraries of Millrace, and what it takes to hold a rule over them: the
 * rule must also report a violation that is planted for it, or it guards nothing.
 *
 * <p>The test kit is not among them: it is made of the inner parts of a tracker, so the layers do
 * not hold there; {@link #keepsInTestKitToo} checks the rules that do. Neither is the Spring Boot
 * starter, which is made of Spring and has threads of its own. {@link SizesTest} reads the sources
 * of these modules as well.
 */
final class ArchitectureRules {
  /** One class of each module, to find where the module's classes are. */
  private static final List<Class<?>> MODULES =
      List.of(Job.class, JobClient.class, TaskTracker.class, JobTracker.class, Console.class);

  /** The libraries that the packaged {@code common} contains are not ours. */
  private static final ImportOption OURS = location -> !location.contains("/internal/shaded/");

  private static final JavaClasses CLASSES = classesOf(MODULES);

  private ArchitectureRules() {}

  private static JavaClasses classesOf(List<Class<?>> modules) {
    return new ClassFileImporter()
        .withImportOption(OURS)
        .importLocations(
            modules.stream()
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(Location::of)
                .toList());
  }

  static JavaClasses classes() {
    return CLASSES;
  }

  /** The main classes of the test kit. */
  static JavaClasses classesOfTestKit() {
    return TestKit.CLASSES;
  }

  /**
   * Checks the rule on all classes, once it has reported each of the planted sources.
   *
   * @param planted compilation units, each of which breaks the rule by itself
   */
  static void keeps(ArchRule rule, String... planted) {
    assertThat(planted).as("planted violations").isNotEmpty();
    List<JavaClasses> violations = Planted.each(planted);
    for (int i = 0; i < planted.length; i++) {
      assertThat(rule.evaluate(violations.get(i)).hasViolation())
          .as("'%s' reports this:%n%s", rule.getDescription(), planted[i])
          .isTrue();
    }
    rule.check(CLASSES);
  }

  /** As {@link #keeps}, and checks the rule on the classes of the test kit. */
  static void keepsInTestKitToo(ArchRule rule, String... planted) {
    keeps(rule, planted);
    rule.check(classesOfTestKit());
  }

  /** Compiled here, so that the module itself can be built and tested beside this one. */
  private static final class TestKit {
    private static final JavaClasses CLASSES =
        Planted.ofSources(Path.of("../test-kit/src/main/java"));

    static {
      assertThat(CLASSES).isNotEmpty();
    }
  }
}
