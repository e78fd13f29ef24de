package io.millrace.jobtracker.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The {@link TestDatabase.Kind kinds} that a parameterized test or class runs on: H2 and MariaDB;
 * or, where the run names a {@link NamedServer server}, that server alone. The tag chooses what
 * runs once more on such a server. A class that takes long leaves MariaDB to runs of the long forms
 * of tests.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("database")
@ArgumentsSource(EveryDatabase.Kinds.class)
public @interface EveryDatabase {

  /** Whether it runs on MariaDB with {@code -Dtests.full} only, as tests with the tag long do. */
  boolean takesLong() default false;

  /** Each as one argument. */
  final class Kinds implements ArgumentsProvider, AnnotationConsumer<EveryDatabase> {
    private boolean onMariaDb = true;

    @Override
    public void accept(EveryDatabase annotation) {
      onMariaDb = !annotation.takesLong() || Boolean.getBoolean("millrace.test.every-database");
    }

    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return all()
          .filter(kind -> onMariaDb || kind != TestDatabase.Kind.MARIADB)
          .map(Arguments::of);
    }

    /** As {@link EveryDatabase} says. */
    public static Stream<TestDatabase.Kind> all() {
      return NamedServer.isNamed()
          ? Stream.of(TestDatabase.Kind.NAMED)
          : Stream.of(TestDatabase.Kind.H2, TestDatabase.Kind.MARIADB);
    }
  }
}
