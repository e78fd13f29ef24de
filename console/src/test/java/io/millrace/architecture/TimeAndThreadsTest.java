package io.millrace.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Time is handed in, and so is whatever runs or waits: a whole cluster can be driven by hand. */
class TimeAndThreadsTest {
  /** The packages whose purpose is threads, and those that own a runtime. */
  private static final String[] THREAD_OWNERS = {
    "io.millrace.internal.lifecycle",
    "io.millrace.internal.rpc.netty",
    "io.millrace.internal.time",
    "io.millrace.jobclient.internal.resources",
    "io.millrace.tasktracker",
    "io.millrace.tasktracker.internal.threads",
    "io.millrace.jobtracker.wiring",
    "io.millrace.console.alert"
  };

  @Test
  void clocksAreReadInTimeOnly() {
    ArchitectureRules.keepsInTestKitToo(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.millrace.internal.time..")
            .should()
            .accessTargetWhere(reading("the machine's clock", TimeAndThreadsTest::readsClock)),
        inPull("long now() { return System.currentTimeMillis(); }"),
        inPull("long now() { return System.nanoTime(); }"),
        inPull("java.util.function.LongSupplier clock = System::nanoTime;"),
        inPull("Object now() { return java.time.Instant.now(); }"),
        inPull("Object now() { return java.time.LocalDateTime.now(); }"),
        inPull("Object now() { return java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC); }"),
        inPull("Object clock() { return java.time.Clock.systemUTC(); }"),
        inPull("Object now() { return new java.util.Date(); }"),
        inPull("Object now() { return java.util.Calendar.getInstance(); }"));
  }

  private static boolean readsClock(AccessTarget target) {
    return isOn(target, System.class, "currentTimeMillis", "nanoTime")
        || isOn(target, Calendar.class, "getInstance")
        || isConstructorOf(target, Date.class)
        || (target.getOwner().getPackageName().equals("java.time")
            && (target.getName().equals("now")
                || target.getName().startsWith("system")
                || target.getName().startsWith("tick")));
  }

  @Test
  void threadsAreMadeByTheirOwnersOnly() {
    ArchitectureRules.keepsInTestKitToo(
        noClasses()
            .that()
            .resideOutsideOfPackages(THREAD_OWNERS)
            .should()
            .accessTargetWhere(reading("threads of its own", TimeAndThreadsTest::makesThreads)),
        inPull("Object run() { return new Thread(() -> {}); }"),
        inPull("java.util.concurrent.ThreadFactory threads = Thread::new;"),
        inPull("Object pool() { return java.util.concurrent.Executors.newCachedThreadPool(); }"),
        inPull("Object pool() { return new java.util.concurrent.ForkJoinPool(2); }"),
        inPull("Object pool() { return new java.util.concurrent.ScheduledThreadPoolExecutor(1); }"),
        inPull("Object timer() { return new java.util.Timer(); }"));
  }

  private static boolean makesThreads(AccessTarget target) {
    return target.getOwner().isEquivalentTo(Executors.class)
        || isConstructorOf(target, Thread.class)
        || isConstructorOf(target, java.util.Timer.class)
        || isConstructorOf(target, java.util.concurrent.ExecutorService.class);
  }

  @Test
  void nothingRunsOnThreadsThatWereNotHandedIn() {
    ArchitectureRules.keepsInTestKitToo(
        noClasses()
            .should()
            .accessTargetWhere(
                reading("the JVM's common threads", TimeAndThreadsTest::borrowsThreads)),
        inPull("{ java.util.concurrent.CompletableFuture.runAsync(() -> {}); }"),
        inPull(
            "void then(java.util.concurrent.CompletableFuture<String> f) {"
                + " f.thenAcceptAsync(s -> {}); }"),
        inPull(
            "void wait(java.util.concurrent.CompletableFuture<String> f) {"
                + " f.orTimeout(1, java.util.concurrent.TimeUnit.DAYS); }"),
        inPull("Object pool() { return java.util.concurrent.ForkJoinPool.commonPool(); }"),
        inPull("void all(java.util.List<String> l) { l.parallelStream().forEach(s -> {}); }"));
  }

  private static boolean borrowsThreads(AccessTarget target) {
    boolean onFuture = target.getOwner().isAssignableTo(java.util.concurrent.CompletionStage.class);
    return (onFuture && target.getName().endsWith("Async") && !takesExecutor(target))
        || isOn(
            target, CompletableFuture.class, "orTimeout", "completeOnTimeout", "delayedExecutor")
        || Set.of("commonPool", "parallelStream").contains(target.getName());
  }

  @Test
  void theDomainNeitherRunsNorWaits() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobtracker.domain..")
            .should()
            .dependOnClassesThat(
                assignableTo(Executor.class)
                    .or(assignableTo(Thread.class))
                    .or(assignableTo(java.time.Clock.class))
                    .or(assignableTo(java.util.Timer.class))
                    .or(assignableTo(java.util.concurrent.Future.class))),
        inDomain("java.util.concurrent.Executor executor;"),
        inDomain("Object current() { return Thread.currentThread(); }"),
        inDomain("java.time.Clock clock;"),
        inDomain("java.util.Timer timer;"),
        inDomain("java.util.concurrent.CompletableFuture<String> answer;"));
  }

  private static String inPull(String member) {
    return planted("io.millrace.jobtracker.group.pull", member);
  }

  private static String inDomain(String member) {
    return planted("io.millrace.jobtracker.domain.lease", member);
  }

  private static String planted(String inPackage, String member) {
    return """
    package %s;
    class Planted { %s }
    """
        .formatted(inPackage, member);
  }

  private static DescribedPredicate<JavaAccess<?>> reading(
      String what, java.util.function.Predicate<AccessTarget> test) {
    return new DescribedPredicate<>("it is " + what) {
      @Override
      public boolean test(JavaAccess<?> access) {
        return test.test(access.getTarget());
      }
    };
  }

  private static boolean isOn(AccessTarget target, Class<?> owner, String... names) {
    return target.getOwner().isAssignableTo(owner) && List.of(names).contains(target.getName());
  }

  private static boolean isConstructorOf(AccessTarget target, Class<?> type) {
    return target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
        && target.getOwner().isAssignableTo(type);
  }

  private static boolean takesExecutor(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget method
        && method.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(Executor.class));
  }
}
