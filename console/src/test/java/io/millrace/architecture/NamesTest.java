package io.millrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Names tell the truth, and every package says what it is for. */
class NamesTest {

  @Test
  void noClassHasANameThatSaysNothing() {
    ArchitectureRules.keepsInTestKitToo(
        noClasses()
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Support|Info|Po|Biz)(\\$.*)?"),
        named("StringUtil"),
        named("JobUtils"),
        named("PullHelper"),
        named("GroupManager"),
        named("JobSupport"),
        named("NodeInfo"),
        named("JobPo"),
        named("JobBiz"));
  }

  private static String named(String name) {
    return """
    package io.millrace.jobtracker.group.pull;
    class %s {}
    """
        .formatted(name);
  }

  @Test
  void noPackageIsACornerForWhatIsLeftOver() {
    ArchitectureRules.keepsInTestKitToo(
        noClasses()
            .should()
            .resideInAnyPackage("..util..", "..utils..", "..support..", "..helper.."),
        """
        package io.millrace.internal.util;
        class Planted {}
        """,
        """
        package io.millrace.jobtracker.support.check;
        class Planted {}
        """);
  }

  @Test
  void everyPackageIsNullMarked() {
    ArchitectureRules.keepsInTestKitToo(
        classes().should(resideInANullMarkedPackage()),
        """
        package io.millrace.jobtracker.group.pull;
        class Planted {}
        """);
  }

  private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
    return new ArchCondition<>("reside in a package whose package-info is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
        events.add(
            new SimpleConditionEvent(
                type, marked, "package " + type.getPackageName() + " of " + type.getName()));
      }
    };
  }
}
