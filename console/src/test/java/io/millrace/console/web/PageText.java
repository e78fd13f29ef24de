package io.millrace.console.web;

import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Looks into the text of pages and modules, as far as the tests of them need. */
final class PageText {
  private static final Pattern COMMENT =
      Pattern.compile("<!--.*?-->|/\\*.*?\\*/|(?m:^\\s*//[^\n]*$)", Pattern.DOTALL);
  private static final Pattern NAMESPACE =
      Pattern.compile("http://www\\.w3\\.org/(?:2000/svg|1999/xhtml|1999/xlink|1998/Math/MathML)");
  private static final Pattern IMPORT =
      Pattern.compile(
          "\\b(?:import|export)\\b[\\w\\s{},*$]*\\bfrom\\s*[\"']([^\"']+)[\"']"
              + "|\\bimport\\s*[\"']([^\"']+)[\"']");
  private static final Pattern LATER_IMPORT =
      Pattern.compile("\\bimport\\s*\\(\\s*[\"']([^\"']+)[\"']");
  private static final Pattern TAG = Pattern.compile("<(?:link|script)\\b[^>]*>");
  private static final Pattern MODULE =
      Pattern.compile("\\b(?:rel\\s*=\\s*\"modulepreload\"|type\\s*=\\s*\"module\")");
  private static final Pattern NAME = Pattern.compile("\\b(?:href|src)\\s*=\\s*\"([^\"]*)\"");

  private PageText() {}

  /** Without comments, and without the names that XML has for its kinds. */
  static String withoutComments(String text) {
    return NAMESPACE.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("");
  }

  /** The paths that a module imports before it runs. */
  static Set<String> imports(String path, String text) {
    return found(IMPORT, path, text);
  }

  /** The paths that a module imports when it needs them. */
  static Set<String> laterImports(String path, String text) {
    return found(LATER_IMPORT, path, text);
  }

  private static Set<String> found(Pattern pattern, String path, String text) {
    return pattern
        .matcher(withoutComments(text))
        .results()
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .map(name -> URI.create(path).resolve(name).toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The paths of the modules that a page names. */
  static Set<String> modules(String page) {
    return TAG.matcher(withoutComments(page))
        .results()
        .map(tag -> tag.group())
        .filter(tag -> MODULE.matcher(tag).find())
        .map(PageText::nameIn)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String nameIn(String tag) {
    Matcher name = NAME.matcher(tag);
    return name.find() ? name.group(1) : tag;
  }
}
