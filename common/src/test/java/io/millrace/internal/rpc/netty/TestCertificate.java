package io.millrace.internal.rpc.netty;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate of its own making for 127.0.0.1, as PEM files; made by the JDK's keytool. */
record TestCertificate(Path certificate, Path privateKey) {
  private static final String PASSWORD = "only for this test";

  static TestCertificate in(Path folder) throws Exception {
    Path store = folder.resolve("store.p12");
    run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "tracker",
            "-keyalg",
            "EC",
            "-dname",
            "CN=tracker",
            "-ext",
            "SAN=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD));
    return export(store, folder);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
  }

  private static TestCertificate export(Path store, Path folder)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new TestCertificate(
        write(
            folder.resolve("certificate.pem"),
            "CERTIFICATE",
            keys.getCertificate("tracker").getEncoded()),
        write(
            folder.resolve("key.pem"),
            "PRIVATE KEY",
            keys.getKey("tracker", PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path write(Path file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(der);
    String begin = "-----BEGIN " + label + "-----\n";
    return Files.writeString(file, begin + body + "\n-----END " + label + "-----\n");
  }
}
