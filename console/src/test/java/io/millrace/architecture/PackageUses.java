package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which package of a module may use which.
 *
 * @param root the package of the module, with the types of its users; all its other packages are
 *     below {@code internal}
 * @param uses what each package uses of the others; all have their names below {@code internal},
 *     and the root is {@link #API}
 */
record PackageUses(String root, Map<String, Set<String>> uses) {

  /** The root itself: the API, and what connects the other packages. */
  static final String API = "";

  /**
   * Checks that a package uses only what it may.
   *
   * @param user the package
   * @param tooHigh a class that the package may not use: its name alone if it is in the root, else
   *     with its package below {@code internal}
   */
  void check(String user, String tooHigh) {
    String[] allowed =
        Stream.concat(Stream.of(user), uses.get(user).stream())
            .map(this::packageOf)
            .toArray(String[]::new);
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage(packageOf(user))
            .should()
            .dependOnClassesThat(
                resideInAPackage(root + "..").and(not(resideInAnyPackage(allowed)))),
        """
        package %s;
        class Planted { %s other; }
        """
            .formatted(packageOf(user), classOf(tooHigh)));
  }

  /** Checks that every package of the module is named here, and no other. */
  void checkNames() {
    Set<String> packages =
        ArchitectureRules.classes().stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.equals(root) || name.startsWith(root + "."))
            .collect(Collectors.toSet());

    assertThat(new TreeSet<>(packages))
        .isEqualTo(
            uses.keySet().stream()
                .map(this::packageOf)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private String packageOf(String name) {
    return name.equals(API) ? root : root + ".internal." + name;
  }

  private String classOf(String name) {
    return root + (name.contains(".") ? ".internal." : ".") + name;
  }
}
