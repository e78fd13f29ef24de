package io.millrace.scripts;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the manifest of the jar. */
public final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String built = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "millrace " + (built == null ? "(development build)" : built), "Java " + Runtime.version()
    };
  }
}
