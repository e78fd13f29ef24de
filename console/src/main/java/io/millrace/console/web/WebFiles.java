package io.millrace.console.web;

import io.millrace.console.http.StaticFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Loads the console's page and its files into memory. The files are served in a directory whose
 * name is a hash over all of them, and stay in the caches of browsers as long as that is the same;
 * within the files, their directory is {@code /console/}. Only the files that the page names by
 * {@code href} or {@code src} below {@code /console/} are served, and no other file of the class
 * path. Own files are next to this class; those below {@code /console/lib/} come from the WebJars
 * of their libraries, in the versions of the build.
 *
 * <p>{@code io.vertx.ext.web.handler.StaticHandler} is not used: it unpacks files of the class path
 * into a cache directory, and serves any file there by name.
 */
public record WebFiles(Resources resources) {
  static final String PAGE = "index.html";

  private static final String BELOW = "/console/";
  private static final int HASH_LENGTH = 16;
  private static final String LIBRARIES = "lib/";
  private static final String OWN = "/io/millrace/console/web/";
  private static final Pattern NAMED =
      Pattern.compile("\\b(?:href|src)\\s*=\\s*[\"']" + BELOW + "([^\"']*)[\"']");
  private static final Pattern PLAIN = Pattern.compile("[\\w-]+(?:[./][\\w-]+)+");

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /** Access to the resources of the class path. */
  @FunctionalInterface
  interface Resources {
    /** Opens the resource of this absolute name; null if it does not exist. */
    @Nullable InputStream open(String name);
  }

  /**
   * Loads all files of the console, starting with the page, under the path {@code /}.
   *
   * @throws IllegalStateException if a file that the page names is missing or not allowed
   */
  public static List<StaticFile> ofClassPath() {
    return new WebFiles(WebFiles.class::getResourceAsStream).read();
  }

  List<StaticFile> read() {
    byte[] page = bytes(OWN + PAGE, "the console's page");
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (String name : named(text(page))) {
      String whose = BELOW + name + ", which " + PAGE + " names,";
      if (!PLAIN.matcher(name).matches()) {
        throw new IllegalStateException("console: " + whose + " is not a plain file name");
      }
      mediaType(name);
      files.put(name, bytes(resource(name), whose));
    }
    String directory = BELOW + hash(files) + "/";
    List<StaticFile> served = new ArrayList<>();
    served.add(StaticFile.of("/", false, mediaType(PAGE), in(directory, page)));
    files.forEach(
        (name, bytes) ->
            served.add(
                StaticFile.of(directory + name, true, mediaType(name), in(directory, bytes))));
    return List.copyOf(served);
  }

  /** The same for the same files: a browser keeps them until another version of one is served. */
  private static String hash(SortedMap<String, byte[]> files) {
    StringBuilder all = new StringBuilder();
    files.forEach((name, bytes) -> all.append(name).append(' ').append(StaticFile.hash(bytes)));
    return StaticFile.hash(all.toString().getBytes(StandardCharsets.UTF_8))
        .substring(0, HASH_LENGTH);
  }

  /** The file with all that it names in this directory. */
  private static byte[] in(String directory, byte[] file) {
    return text(file).replace(BELOW, directory).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] file) {
    return new String(file, StandardCharsets.UTF_8);
  }

  private static Set<String> named(String page) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = NAMED.matcher(page);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static String mediaType(String name) {
    String type = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalStateException(
          "console: %s has an unsupported file type: %s"
              .formatted(name, new TreeSet<>(MEDIA_TYPES.keySet())));
    }
    return type;
  }

  private String resource(String name) {
    if (!name.startsWith(LIBRARIES)) {
      return OWN + name;
    }
    String inLibraries = name.substring(LIBRARIES.length());
    int slash = inLibraries.indexOf('/');
    return slash < 0
        ? OWN + name
        : library(inLibraries.substring(0, slash)) + inLibraries.substring(slash + 1);
  }

  /** The path of the files of a WebJar; its pom.properties contains the version. */
  private String library(String library) {
    String about = "/META-INF/maven/org.webjars.npm/" + library + "/pom.properties";
    Properties properties = new Properties();
    try {
      properties.load(
          new StringReader(
              new String(bytes(about, "the WebJar of " + library), StandardCharsets.ISO_8859_1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "/META-INF/resources/webjars/" + library + "/" + properties.getProperty("version") + "/";
  }

  private byte[] bytes(String resource, String whose) {
    try (InputStream in = resources.open(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "console: " + whose + " is not on the class path: missing " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }
}
