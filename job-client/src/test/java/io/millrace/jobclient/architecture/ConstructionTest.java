package io.millrace.jobclient.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What objects are made of: their parameters, their time and their threads are handed in. */
class ConstructionTest {
  private static final int MOST_PARAMETERS = 7;

  @Test
  void constructorsHaveFewParameters() {
    Rules.check(
        constructors()
            .should(
                new ArchCondition<>("have at most " + MOST_PARAMETERS + " parameters") {
                  @Override
                  public void check(JavaConstructor constructor, ConditionEvents events) {
                    int count = constructor.getRawParameterTypes().size();
                    String message = constructor.getFullName() + " has " + count;
                    events.add(
                        new SimpleConditionEvent(constructor, count <= MOST_PARAMETERS, message));
                  }
                }),
        planted("Planted(int a, int b, int c, int d, int e, int f, int g, int h) {}"),
        """
        package io.millrace.jobclient.internal.submit;
        record Planted(int a, int b, int c, int d, int e, int f, int g, int h) {}
        """);
  }

  @Test
  void constructorsDoNotPassThisOut() {
    Rules.check(
        classes().should(notPassThisOutOfItsConstructors()),
        planted("Planted(java.util.List<Runnable> tasks) { tasks.add(this::run); } void run() {}"),
        planted(
            "Planted(java.util.List<Runnable> tasks) { tasks.add(() -> run()); } void run() {}"),
        planted("Runnable task = () -> run(); void run() {}"),
        planted("int n; Runnable task = () -> n++;"),
        planted("Object part = new Part(); class Part {}"),
        planted("Object part = new Object() {};"),
        planted("Planted(Part part) { part.take(this); } interface Part { void take(Planted p); }"),
        planted("Planted() { new Part(this); } record Part(Planted owner) {}"),
        """
        package io.millrace.jobclient.internal.submit;
        class Planted implements Runnable {
          Planted(java.util.concurrent.Executor executor) { executor.execute(this); }
          public void run() {}
        }
        """);
  }

  /**
   * A constructor passes {@code this} out by a reference to a method of its object, by a lambda
   * that uses its object, in an inner class, or as an argument. Arguments are not to be seen in the
   * classes that are checked; so a parameter that could take the object counts, unless the
   * constructor was given an object that fits as well.
   */
  private static ArchCondition<JavaClass> notPassThisOutOfItsConstructors() {
    return new ArchCondition<>("not pass this out of its constructors") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaConstructor constructor : type.getConstructors()) {
          for (JavaAccess<?> access : constructor.getAccessesFromSelf()) {
            if (passesThis(constructor, access)) {
              events.add(SimpleConditionEvent.violated(type, access.getDescription()));
            }
          }
          constructor.getMethodReferencesFromSelf().stream()
              .filter(reference -> isOwnInstanceMember(type, reference.getTarget()))
              .forEach(
                  reference ->
                      events.add(SimpleConditionEvent.violated(type, reference.getDescription())));
        }
      }
    };
  }

  private static boolean passesThis(JavaConstructor constructor, JavaAccess<?> access) {
    JavaClass type = constructor.getOwner();
    AccessTarget target = access.getTarget();
    if (access.isDeclaredInLambda() && isOwnInstanceMember(type, target)) {
      return true;
    }
    if (!(target instanceof CodeUnitAccessTarget called) || target.getOwner().equals(type)) {
      return false;
    }
    return makesInner(type, called) || takesThis(constructor, called);
  }

  private static boolean isOwnInstanceMember(JavaClass type, AccessTarget target) {
    return type.isAssignableTo(target.getOwner().getName())
        && !isConstructor(target)
        && target.resolveMember().filter(ConstructionTest::isOfAnObject).isPresent();
  }

  private static boolean isOfAnObject(JavaMember member) {
    return !member.getModifiers().contains(JavaModifier.STATIC);
  }

  private static boolean makesInner(JavaClass type, CodeUnitAccessTarget called) {
    JavaClass made = called.getOwner();
    return isConstructor(called)
        && (made.isInnerClass() || made.isAnonymousClass())
        && made.getEnclosingClass().filter(type::equals).isPresent();
  }

  private static boolean takesThis(JavaConstructor constructor, CodeUnitAccessTarget called) {
    return called.getRawParameterTypes().stream()
        .filter(parameter -> !parameter.isEquivalentTo(Object.class))
        .filter(parameter -> constructor.getOwner().isAssignableTo(parameter.getName()))
        .anyMatch(
            parameter ->
                constructor.getRawParameterTypes().stream()
                    .noneMatch(given -> given.isAssignableTo(parameter.getName())));
  }

  @Test
  void noClassReadsTheClocksOfTheMachine() {
    Rules.check(
        noClasses().should().accessTargetWhere(target("reads a clock", this::readsClock)),
        planted("long now() { return System.currentTimeMillis(); }"),
        planted("long now() { return System.nanoTime(); }"),
        planted("java.util.function.LongSupplier clock = System::nanoTime;"),
        planted("Object now() { return java.time.Instant.now(); }"),
        planted("Object now() { return java.time.LocalDateTime.now(); }"),
        planted("Object clock() { return java.time.Clock.systemUTC(); }"),
        planted("Object now() { return new java.util.Date(); }"));
  }

  private boolean readsClock(AccessTarget target) {
    JavaClass owner = target.getOwner();
    boolean ofJavaTime = owner.getPackageName().equals("java.time");
    String name = target.getName();
    return (owner.isEquivalentTo(System.class)
            && Set.of("currentTimeMillis", "nanoTime").contains(name))
        || (ofJavaTime && List.of("now", "systemUTC", "systemDefaultZone").contains(name))
        || (owner.isEquivalentTo(java.util.Date.class) && isConstructor(target));
  }

  @Test
  void onlyTheDefaultResourcesMakeThreads() {
    Rules.check(
        noClasses()
            .that()
            .resideOutsideOfPackage(Rules.ROOT + ".resources")
            .should()
            .accessTargetWhere(target("makes threads", this::makesThreads)),
        planted("Object run() { return new Thread(() -> {}); }"),
        planted("java.util.concurrent.ThreadFactory threads = Thread::new;"),
        planted("Object pool() { return java.util.concurrent.Executors.newCachedThreadPool(); }"),
        planted("Object pool() { return new java.util.concurrent.ForkJoinPool(2); }"),
        planted("Object timer() { return new java.util.Timer(); }"));
  }

  private boolean makesThreads(AccessTarget target) {
    JavaClass owner = target.getOwner();
    return owner.isEquivalentTo(Executors.class)
        || (isConstructor(target)
            && (owner.isAssignableTo(Thread.class)
                || owner.isAssignableTo(java.util.Timer.class)
                || owner.isAssignableTo(ExecutorService.class)));
  }

  private static boolean isConstructor(AccessTarget target) {
    return target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
  }

  private static DescribedPredicate<JavaAccess<?>> target(
      String what, java.util.function.Predicate<AccessTarget> test) {
    return new DescribedPredicate<>("it " + what) {
      @Override
      public boolean test(JavaAccess<?> access) {
        return test.test(access.getTarget());
      }
    };
  }

  private static String planted(String members) {
    return """
    package io.millrace.jobclient.internal.submit;
    class Planted { %s }
    """
        .formatted(members);
  }
}
