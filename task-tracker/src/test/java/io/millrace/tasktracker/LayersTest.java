package io.millrace.tasktracker;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** Who may know whom inside of the worker. */
class LayersTest {
  private static final String ROOT = "io.millrace.tasktracker";
  private static final List<String> ROOMS = List.of("pull", "execute", "report", "joblog");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void roomsDoNotKnowOneAnother() {
    for (String room : ROOMS) {
      String[] others =
          ROOMS.stream()
              .filter(other -> !other.equals(room))
              .map(other -> ROOT + "." + other + "..")
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + room + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .check(CLASSES);
    }
  }

  @Test
  void roomsKnowOfTheNodeOnlyWhatJobsAreWrittenAgainst() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".*..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT)
                .and(not(nameMatching(".*\\.(JobRunner|JobContext|JobLogger|Result)"))))
        .check(CLASSES);
  }

  @Test
  void nobodyReadsTheClocksOfTheMachine() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(CLASSES);
  }

  @Test
  void onlyTheNodeMakesThreadsAndOnlyWhenItIsGivenNone() {
    noClasses()
        .that()
        .doNotHaveSimpleName("DefaultWorkerResources")
        .and()
        .doNotHaveSimpleName("VirtualThreads")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ThreadPoolExecutor.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executors.class)
        .orShould()
        .callConstructor(Thread.class, Runnable.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheNodeKnowsHowConnectionsAreMade() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".pull..", ROOT + ".execute..", ROOT + ".joblog..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.millrace.common.rpc..")
        .check(CLASSES);
  }
}
