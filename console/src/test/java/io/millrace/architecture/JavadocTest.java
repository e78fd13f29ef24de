package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What applications see has Javadoc: each type, constructor, method, field and constant, and each
 * component of a record. A method that overrides another has that one's.
 */
class JavadocTest {

  @Test
  void whatApplicationsSeeHasJavadoc() throws IOException {
    List<Path> sources = PublicTypesTest.sources();

    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(without(sources)).isEmpty();
  }

  @Test
  void whatHasNoJavadocIsFound(@TempDir Path directory) throws IOException {
    Path source = directory.resolve("Planted.java");
    Files.writeString(
        source,
        """
        /** A type. @param said what is said */
        public record Planted(int said, int unsaid) {
          public static final int FIELD = 1;
          public Planted {}
          public Planted(int one) { this(one, one); }
          public void method() {}
          protected void inherited() {}
          void internal() {}
          private static final int INTERNAL = 1;
          @Override public String toString() { return ""; }
          /** An interface. */
          public interface Inner { void member(); }
          public enum Kind {
            /** Told. */ TOLD, UNTOLD
          }
          enum Internal { UNTOLD }
        }
        class Internal { public void method() {} }
        """);

    assertThat(without(List.of(source)))
        .containsExactlyInAnyOrder(
            "Planted: component unsaid",
            "Planted.FIELD",
            "Planted.<init>/1",
            "Planted.method",
            "Planted.inherited",
            "Planted.Inner.member",
            "Planted.Kind",
            "Planted.Kind.UNTOLD");
  }

  private static Set<String> without(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Set<String> found = new TreeSet<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      Undocumented scanner = new Undocumented(DocTrees.instance(task), found);
      for (CompilationUnitTree unit : task.parse()) {
        Void unused = scanner.scan(unit, "");
      }
    }
    return found;
  }

  /** Collects what has none; the parameter is the name of the type around. */
  private static final class Undocumented extends TreePathScanner<@Nullable Void, String> {
    private final DocTrees docs;
    private final Set<String> found;

    Undocumented(DocTrees docs, Set<String> found) {
      this.docs = docs;
      this.found = found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, String around) {
      if (!isSeen(type.getModifiers())) {
        return null;
      }
      String name =
          Stream.of(around, type.getSimpleName().toString())
              .filter(part -> !part.isEmpty())
              .reduce((outer, inner) -> outer + "." + inner)
              .orElseThrow();
      require(name);
      if (type.getKind() == Tree.Kind.RECORD) {
        requireComponents(type, name);
      }
      return super.visitClass(type, name);
    }

    private void requireComponents(ClassTree type, String name) {
      String doc = docs.getDocComment(getCurrentPath());
      components(type)
          .filter(
              component ->
                  doc == null || !doc.matches("(?s).*@param " + component.getName() + "\\b.*"))
          .forEach(component -> found.add(name + ": component " + component.getName()));
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, String type) {
      boolean isConstructor = method.getName().contentEquals("<init>");
      if (isSeen(method.getModifiers())
          && !isOverriding(method)
          && !(isConstructor && isCanonical(method))) {
        require(
            type
                + "."
                + method.getName()
                + (isConstructor ? "/" + method.getParameters().size() : ""));
      }
      return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, String type) {
      if (isSeen(field.getModifiers())) {
        require(type + "." + field.getName());
      }
      return null;
    }

    private boolean isSeen(ModifiersTree modifiers) {
      Tree around = getCurrentPath().getParentPath().getLeaf();
      return modifiers.getFlags().contains(Modifier.PUBLIC)
          || modifiers.getFlags().contains(Modifier.PROTECTED)
          || around instanceof ClassTree type
              && (type.getKind() == Tree.Kind.INTERFACE
                  || type.getKind() == Tree.Kind.ANNOTATION_TYPE)
              && !modifiers.getFlags().contains(Modifier.PRIVATE);
    }

    private static boolean isOverriding(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    /** The components of a record tell what its canonical constructor takes. */
    private boolean isCanonical(MethodTree constructor) {
      return getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type
          && type.getKind() == Tree.Kind.RECORD
          && components(type).count() == constructor.getParameters().size();
    }

    private static Stream<VariableTree> components(ClassTree type) {
      return type.getMembers().stream()
          .filter(VariableTree.class::isInstance)
          .map(VariableTree.class::cast)
          .filter(member -> !member.getModifiers().getFlags().contains(Modifier.STATIC));
    }

    private void require(String name) {
      TreePath path = getCurrentPath();
      if (docs.getDocComment(path) == null) {
        found.add(name);
      }
    }
  }
}
