package io.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Classes that break a rule on purpose. They are compiled from text in a directory of their own, so
 * they can sit in the very packages that a rule is about and are never on anybody's class path. So
 * are those of a module that this one does not depend on.
 */
final class Planted {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public |final |abstract )*(?:class|interface|enum|record) (\\w+)");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Kept, because it reads the class path's archives only once. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private Planted() {}

  /**
   * Compiles sources one by one, for tests that judge each by itself. Types named {@code Planted}
   * get a number, so that many of them fit into one package.
   */
  static List<JavaClasses> each(String... sources) {
    String[] numbered = new String[sources.length];
    for (int i = 0; i < sources.length; i++) {
      numbered[i] = sources[i].replaceAll("\\bPlanted\\b", "Planted" + i);
    }
    JavaClasses all = compiled(numbered);
    return Arrays.stream(numbered)
        .map(Planted::nameOf)
        .map(name -> all.that(HasName.Predicates.nameMatching(Pattern.quote(name) + "(\\$.*)?")))
        .toList();
  }

  /** Compiles sources against the class path of this test, and imports them alone. */
  static JavaClasses compiled(String... sources) {
    return compiled(Arrays.stream(sources).map(Planted::unit).toList());
  }

  /** The same with all sources below a directory: those of a module that is not on it. */
  static JavaClasses ofSources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      List<JavaFileObject> units = new ArrayList<>();
      FILES.getJavaFileObjectsFromPaths(sources).forEach(units::add);
      return compiled(units);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static synchronized JavaClasses compiled(List<JavaFileObject> units) {
    Path directory = newDirectory();
    try {
      compile(directory, units);
      return new ClassFileImporter().importPath(directory);
    } finally {
      delete(directory);
    }
  }

  private static void compile(Path directory, List<JavaFileObject> units) {
    StringWriter problems = new StringWriter();
    List<String> options =
        List.of("-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
    try {
      FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!COMPILER.getTask(problems, FILES, null, options, null, units).call()) {
      throw new IllegalArgumentException("a planted source does not compile: " + problems);
    }
  }

  private static String nameOf(String source) {
    Matcher inPackage = PACKAGE.matcher(source);
    Matcher type = TYPE.matcher(source);
    if (!inPackage.find() || !type.find()) {
      throw new IllegalArgumentException("no package or no type in: " + source);
    }
    return inPackage.group(1) + "." + type.group(1);
  }

  private static JavaFileObject unit(String source) {
    String path = nameOf(source).replace('.', '/') + ".java";
    return new SimpleJavaFileObject(URI.create("planted:///" + path), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("millrace-planted");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
