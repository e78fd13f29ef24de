package io.millrace.internal.rpc.netty;

import io.millrace.api.TlsTrust;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.TlsIdentity;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Reads PEM files into TLS contexts. */
final class TlsContexts {

  private TlsContexts() {}

  /**
   * The context of a tracker.
   *
   * @throws RpcException UNAVAILABLE, naming the file that cannot be used
   */
  static SslContext ofServer(TlsIdentity identity) {
    Path certificates = readable(identity.certificateChain(), "certificate");
    Path key = readable(identity.privateKey(), "private key");
    try {
      return SslContextBuilder.forServer(certificates.toFile(), key.toFile())
          .sslProvider(SslProvider.JDK)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw unusable("certificate " + certificates + " or private key " + key, e);
    }
  }

  /**
   * The context of a caller. It checks that the certificate names the host it calls.
   *
   * @throws RpcException UNAVAILABLE, naming the file that cannot be used
   */
  static SslContext ofCaller(TlsTrust trust) {
    SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    Path certificates = trust.certificates();
    try {
      if (certificates != null) {
        builder.trustManager(readable(certificates, "trusted certificates").toFile());
      } else if (!trust.authorities().isEmpty()) {
        builder.trustManager(trust.authorities());
      }
      return builder.endpointIdentificationAlgorithm("HTTPS").build();
    } catch (SSLException | IllegalArgumentException e) {
      throw unusable("trusted certificates " + certificates, e);
    }
  }

  private static Path readable(Path file, String what) {
    if (!Files.isReadable(file)) {
      throw unusable(what + " " + file + ": the file does not exist or is not readable", null);
    }
    return file;
  }

  private static RpcException unusable(String what, @Nullable Exception cause) {
    return new RpcException(ErrorCode.UNAVAILABLE, "TLS cannot be set up with " + what, cause);
  }
}
