package io.millrace.scripts.libraries;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is in the jars that applications get. */
class LibraryJarsTest {
  private static final long MOST_BYTES = 4_000_000;

  private static final Pattern MISSING = Pattern.compile("-> +(\\S+) +not found");

  /** A row of the table of jars. */
  private static final Pattern WEIGHT =
      Pattern.compile("\\| `([a-z0-9-]+)` \\| (\\d\\.\\d+) \\|.*");

  private static final Pattern DEPENDENCY =
      Pattern.compile("(?s)<dependency>(.*?)<artifactId>(.*?)</artifactId>(.*?)</dependency>");

  @Test
  void clientAndWorkerWithAllTheyNeedAreSmall() {
    List<Path> jars = LibraryJars.all();

    assertThat(jars).hasSize(5);
    assertThat(jars.stream().mapToLong(LibraryJarsTest::size).sum()).isLessThan(MOST_BYTES);
  }

  @Test
  void pageSaysHowLargeEachIs() throws IOException {
    Map<String, String> said = new TreeMap<>();
    Files.readAllLines(Path.of("..", "docs", "workers.md")).stream()
        .map(WEIGHT::matcher)
        .filter(Matcher::matches)
        .forEach(row -> said.put(row.group(1), row.group(2)));

    assertThat(said.keySet())
        .containsExactlyInAnyOrderElementsOf(
            LibraryJars.all().stream().map(LibraryJarsTest::artifact).toList());
    for (Path jar : LibraryJars.all()) {
      BigDecimal page = new BigDecimal(said.get(artifact(jar)));
      assertThat(page)
          .as("MB of %s, to its last digit", jar.getFileName())
          .isCloseTo(BigDecimal.valueOf(size(jar), 6), within(page.ulp()));
    }
  }

  /** The name of a jar without its version. */
  private static String artifact(Path jar) {
    return jar.getFileName().toString().replaceFirst("-\\d.*", "");
  }

  @Test
  void classesAreInPackagesOfMillraceAndNothingIsRegisteredForTheApplication() throws IOException {
    for (Path jar : LibraryJars.ofMillrace()) {
      assertThat(entries(jar).filter(name -> name.endsWith(".class")))
          .isNotEmpty()
          .allMatch(name -> name.startsWith("io/millrace/"));
      assertThat(entries(jar).filter(name -> !name.endsWith(".class")))
          .noneMatch(name -> name.startsWith("META-INF/services/"))
          .noneMatch(name -> name.startsWith("META-INF/versions/"))
          .noneMatch(name -> name.startsWith("META-INF/native-image/"))
          .allMatch(name -> name.startsWith("META-INF/") || name.startsWith("io/millrace/"));
    }
  }

  /**
   * What Netty can do without: Netty's own way to OpenSSL, and libraries that no class of ours
   * leads to. A class that is missing in its place would be left out of the jar by mistake.
   */
  @Test
  void onlyOptionalLibrariesAreMissing() {
    assertThat(missingClasses())
        .contains("io.micrometer.core.instrument.MeterRegistry")
        .allMatch(
            missing ->
                Stream.of(
                        "io.micrometer.",
                        "io.millrace.internal.shaded.netty.internal.tcnative.",
                        "java.lang.foreign.",
                        "org.apache.log4j.",
                        "org.apache.logging.log4j.",
                        "org.bouncycastle.",
                        "org.conscrypt.",
                        "org.jetbrains.annotations.")
                    .anyMatch(missing::startsWith));
  }

  @Test
  void licencesAreInTheJars() throws IOException {
    for (Path jar : LibraryJars.ofMillrace()) {
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License", "Version 2.0");
      assertThat(text(jar, "META-INF/NOTICE")).contains("Millrace");
    }
    assertThat(text(LibraryJars.common(), "META-INF/NOTICE"))
        .contains("The Netty Project 4.", "JCTools", "MVStore 2.", "Mozilla Public License")
        .doesNotContain("@");
  }

  @Test
  void jarsAreModulesAndSayTheirVersion() throws IOException {
    for (Path jar : LibraryJars.ofMillrace()) {
      Attributes manifest = manifest(jar);

      assertThat(manifest.getValue("Implementation-Title")).startsWith("Millrace: ");
      assertThat(jar.getFileName().toString())
          .endsWith("-" + manifest.getValue("Implementation-Version") + ".jar");
    }
    assertThat(names(ModuleFinder.of(LibraryJars.ofMillrace().toArray(Path[]::new))))
        .containsExactlyInAnyOrder(
            "io.millrace.common", "io.millrace.jobclient", "io.millrace.tasktracker");
    // Fails if two modules have the same package.
    Configuration together =
        ModuleLayer.boot()
            .configuration()
            .resolve(
                ModuleFinder.of(LibraryJars.all().toArray(Path[]::new)),
                ModuleFinder.of(),
                Set.of("io.millrace.jobclient", "io.millrace.tasktracker"));
    assertThat(together.modules()).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void pomThatIsPublishedNamesWhatIsNotInTheJar() throws IOException {
    Path jar = LibraryJars.common();
    String pom =
        Files.readString(
            jar.resolveSibling("..").resolve("dependency-reduced-pom.xml").normalize());

    assertThat(
            DEPENDENCY
                .matcher(pom)
                .results()
                .filter(found -> !found.group(3).contains("<scope>test</scope>"))
                .map(found -> found.group(2)))
        .containsExactlyInAnyOrder("slf4j-api", "jspecify");
  }

  @Test
  void clientAndWorkerDependOnCommonAndAnnotationsAndALogOnly() throws IOException {
    for (String module : List.of("job-client", "task-tracker")) {
      String pom = Files.readString(Path.of("..", module, "pom.xml"));
      List<MatchResult> used =
          DEPENDENCY
              .matcher(pom)
              .results()
              .filter(found -> !found.group(3).contains("<scope>test</scope>"))
              .toList();

      assertThat(used.stream().filter(found -> !isOptional(found)).map(found -> found.group(2)))
          .as(module)
          .containsExactlyInAnyOrder("millrace-common", "slf4j-api", "jspecify");
      assertThat(used.stream().filter(found -> isOptional(found)).map(found -> found.group(2)))
          .as("%s, if the application has it", module)
          .containsExactly("micrometer-core");
    }
  }

  private static boolean isOptional(MatchResult dependency) {
    return dependency.group(3).contains("<optional>true</optional>");
  }

  private static Set<String> missingClasses() {
    List<Path> needed = LibraryJars.all();
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    int unused =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                printer,
                printer,
                Stream.concat(
                        Stream.of(
                            "--multi-release",
                            "base",
                            "--missing-deps",
                            "--class-path",
                            needed.stream().map(Path::toString).collect(joining(":"))),
                        LibraryJars.ofMillrace().stream().map(Path::toString))
                    .toArray(String[]::new));
    Matcher matcher = MISSING.matcher(out.toString());
    return matcher.results().map(found -> found.group(1)).collect(Collectors.toSet());
  }

  private static Set<String> names(ModuleFinder finder) {
    return finder.findAll().stream()
        .map(ModuleReference::descriptor)
        .map(java.lang.module.ModuleDescriptor::name)
        .collect(Collectors.toSet());
  }

  private static Stream<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .filter(entry -> !entry.isDirectory())
          .map(JarEntry::getName)
          .toList()
          .stream();
    }
  }

  private static Attributes manifest(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes();
    }
  }

  private static String text(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      JarEntry entry = file.getJarEntry(name);
      assertThat(entry).as("%s of %s", name, jar).isNotNull();
      return new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long size(Path jar) {
    try {
      return Files.size(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
