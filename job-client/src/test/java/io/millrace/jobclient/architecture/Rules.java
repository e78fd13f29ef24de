package io.millrace.jobclient.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.jobclient.JobClient;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Checks rules on the main classes of the client. A rule must also report each violation that is
 * planted for it, or it guards nothing. Planted classes are compiled from text into a directory of
 * their own, so they can be in the very packages that a rule is about.
 */
final class Rules {
  static final String ROOT = "io.millrace.jobclient";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importLocations(
              List.of(
                  Location.of(
                      JobClient.class.getProtectionDomain().getCodeSource().getLocation())));

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern TYPE = Pattern.compile("(?m)^(?:public )?(?:class|record) (\\w+)");

  private Rules() {}

  /**
   * Checks the rule on the client, once it has reported each planted violation.
   *
   * @param planted each a violation by itself: a class {@code Planted}, which gets a number
   */
  static void check(ArchRule rule, String... planted) {
    assertThat(planted).as("planted violations").isNotEmpty();
    String[] numbered = new String[planted.length];
    for (int i = 0; i < planted.length; i++) {
      numbered[i] = planted[i].replaceAll("\\bPlanted\\b", "Planted" + i);
    }
    JavaClasses compiled = compiled(numbered);
    for (int i = 0; i < planted.length; i++) {
      String name = ".*\\.Planted" + i + "(\\$.*)?";
      JavaClasses violation = compiled.that(HasName.Predicates.nameMatching(name));
      assertThat(rule.evaluate(violation).hasViolation())
          .as("'%s' reports this:%n%s", rule.getDescription(), planted[i])
          .isTrue();
    }
    rule.check(CLASSES);
  }

  /** Compiles sources against the class path of this test, and imports them alone. */
  private static JavaClasses compiled(String... sources) {
    try {
      Path directory = Files.createTempDirectory("millrace-planted");
      try {
        compile(directory, Arrays.stream(sources).map(Rules::unit).toList());
        return new ClassFileImporter().importPath(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile(Path directory, List<JavaFileObject> units) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    List<String> options =
        List.of(
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            directory.toString(),
            "-proc:none",
            "-nowarn");
    if (!compiler.getTask(problems, null, null, options, null, units).call()) {
      throw new IllegalArgumentException("a planted source does not compile: " + problems);
    }
  }

  private static JavaFileObject unit(String source) {
    Matcher inPackage = PACKAGE.matcher(source);
    Matcher type = TYPE.matcher(source);
    if (!inPackage.find() || !type.find()) {
      throw new IllegalArgumentException("no package or no type in: " + source);
    }
    String path = inPackage.group(1).replace('.', '/') + "/" + type.group(1) + ".java";
    return new SimpleJavaFileObject(URI.create("planted:///" + path), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
