package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How large packages, files, methods and constructors may be, and what is larger for a reason. */
class SizesTest {
  private static final int MOST_FILES = 20;
  private static final int MOST_LINES = 400;
  private static final int MOST_LINES_OF_A_METHOD = 45;
  private static final int MOST_PARAMETERS = 7;

  private static final List<String> MODULES =
      List.of(
          "common",
          "job-client",
          "task-tracker",
          "job-tracker",
          "test-kit",
          "console",
          "scripts",
          "spring-boot-starter");

  /** Packages with more files. */
  private static final Map<String, String> LARGE_PACKAGES =
      Map.of(
          "io.millrace.api", "the types that users import, from one package",
          "io.millrace.internal.protocol", "a record for each message of the wire");

  private static Sizes sizes = new Sizes();

  @BeforeAll
  static void measure() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      sources.addAll(sourcesIn(Path.of("..", module, "src", "main", "java")));
    }
    sizes = Sizes.of(sources);
  }

  private static List<Path> sourcesIn(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(path -> path.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void packagesHaveFewFiles() {
    assertKept(sizes.filesOfPackages, MOST_FILES, LARGE_PACKAGES);
  }

  @Test
  void filesAreShort() {
    assertKept(
        sizes.linesOfFiles,
        MOST_LINES,
        Map.of(
            "io.millrace.api.Job", "every setting of a job, with its manual",
            "io.millrace.jobclient.JobClient", "every call of applications, with its manual"));
  }

  @Test
  void methodsAreShort() {
    assertKept(sizes.linesOfMethods, MOST_LINES_OF_A_METHOD, Map.of());
  }

  @Test
  void constructorsHaveFewParameters() {
    assertKept(sizes.parametersOfConstructors, MOST_PARAMETERS, Map.of());
  }

  /** What is larger is excepted, and what is excepted is larger. */
  private static void assertKept(
      Map<String, Integer> found, int most, Map<String, String> exceptions) {
    assertThat(found).hasSizeGreaterThan(50);
    Set<String> larger = new TreeSet<>();
    found.forEach(
        (name, size) -> {
          if (size > most) {
            larger.add(exceptions.containsKey(name) ? name : name + " has " + size);
          }
        });
    assertThat(larger).as("over %d", most).isEqualTo(new TreeSet<>(exceptions.keySet()));
  }

  @Test
  void sizesAreThoseOfTheSource(@TempDir Path directory) throws IOException {
    Path source = directory.resolve("Planted.java");
    Files.writeString(
        source,
        """
        package planted;

        class Planted {
          Planted(int one, int two) {}

          void method() {
            Runnable unused =
                new Runnable() {
                  public void run() {}
                };
          }

          record Part(int one, int two, int three) {
            void other() {}
          }
        }
        """);

    Sizes planted = Sizes.of(List.of(source));

    assertThat(planted.filesOfPackages).isEqualTo(Map.of("planted", 1));
    assertThat(planted.linesOfFiles).isEqualTo(Map.of("planted.Planted", 16));
    assertThat(planted.linesOfMethods)
        .isEqualTo(
            Map.of(
                "planted.Planted.<init>", 1,
                "planted.Planted.method", 6,
                "planted.Planted..run", 1,
                "planted.Planted.Part.other", 1));
    assertThat(planted.parametersOfConstructors).isEqualTo(Map.of("planted.Planted", 2));
  }

  /** The sizes of sources, by name. Of methods of one name, the largest counts. */
  private static final class Sizes extends TreeScanner<@Nullable Void, CompilationUnitTree> {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    final Map<String, Integer> filesOfPackages = new TreeMap<>();
    final Map<String, Integer> linesOfFiles = new TreeMap<>();
    final Map<String, Integer> linesOfMethods = new TreeMap<>();
    final Map<String, Integer> parametersOfConstructors = new TreeMap<>();

    private final Deque<String> types = new ArrayDeque<>();
    private final Deque<Boolean> ofRecord = new ArrayDeque<>();
    private @Nullable SourcePositions positions;

    static Sizes of(List<Path> sources) throws IOException {
      Sizes sizes = new Sizes();
      try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
        Iterable<? extends JavaFileObject> objects =
            files.getJavaFileObjectsFromPaths(
                sources.stream().filter(path -> !path.endsWith("package-info.java")).toList());
        JavacTask task =
            (JavacTask) COMPILER.getTask(null, files, null, List.of("-proc:none"), null, objects);
        sizes.positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
          sizes.scan(unit, unit);
          sizes.measureFile(unit);
        }
      }
      return sizes;
    }

    private void measureFile(CompilationUnitTree unit) {
      String inPackage = unit.getPackageName().toString();
      filesOfPackages.merge(inPackage, 1, Integer::sum);
      Path path = Path.of(unit.getSourceFile().toUri());
      String type = path.getFileName().toString().replace(".java", "");
      try (Stream<String> lines = Files.lines(path)) {
        linesOfFiles.put(inPackage + "." + type, (int) lines.count());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, CompilationUnitTree unit) {
      String outer = types.isEmpty() ? unit.getPackageName().toString() : types.getLast();
      types.addLast(outer + "." + type.getSimpleName());
      ofRecord.addLast(type.getKind() == Tree.Kind.RECORD);
      super.visitClass(type, unit);
      ofRecord.removeLast();
      types.removeLast();
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, CompilationUnitTree unit) {
      String owner = types.getLast();
      linesOfMethods.merge(owner + "." + method.getName(), lines(method, unit), Math::max);
      if (method.getName().contentEquals("<init>") && !ofRecord.getLast()) {
        parametersOfConstructors.merge(owner, method.getParameters().size(), Math::max);
      }
      return super.visitMethod(method, unit);
    }

    private int lines(Tree tree, CompilationUnitTree unit) {
      LineMap lines = unit.getLineMap();
      long begin = positions.getStartPosition(unit, tree);
      long end = positions.getEndPosition(unit, tree);
      return (int) (lines.getLineNumber(end) - lines.getLineNumber(begin) + 1);
    }
  }
}
