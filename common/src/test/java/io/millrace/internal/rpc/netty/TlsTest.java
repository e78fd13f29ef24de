package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.RpcFailures.assertFails;
import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.SOON;
import static io.millrace.internal.rpc.netty.NettyNodes.TOKENS;
import static io.millrace.internal.rpc.netty.NettyNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.TlsTrust;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.internal.rpc.Token;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  @TempDir static Path folder;
  private static TestCertificate own;
  private static TestCertificate others;
  private final NettyNodes nodes = new NettyNodes();

  @BeforeAll
  static void makeCertificates() throws Exception {
    own = TestCertificate.in(Files.createDirectory(folder.resolve("own")));
    others = TestCertificate.in(Files.createDirectory(folder.resolve("others")));
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
  }

  @Test
  void callerThatTrustsTheCertificateIsServed() {
    Session session = get(connect(serve(), new TlsTrust(own.certificate())));

    assertThat(get(session.call(new CancelRequest("orders", "four"), SOON)).cancelledTriggers())
        .isEqualTo(4);
  }

  @Test
  void callerThatHasTheAuthorityInMemoryIsServed() throws Exception {
    Session session = get(connect(serve(), TlsTrust.of(List.of(read(own.certificate())))));

    assertThat(session.isOpen()).isTrue();
    assertFails(
        connect(serve(), TlsTrust.of(List.of(read(others.certificate())))), ErrorCode.UNAVAILABLE);
  }

  private static X509Certificate read(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  @Test
  void callerThatTrustsAnotherCertificateHangsUp() {
    assertFails(connect(serve(), new TlsTrust(others.certificate())), ErrorCode.UNAVAILABLE);
    assertThat(nodes.sessions).isEmpty();
  }

  @Test
  void callerThatTrustsTheJvmsAuthoritiesHangsUpOnACertificateOfNobody() {
    assertFails(connect(serve(), new TlsTrust(null)), ErrorCode.UNAVAILABLE);
  }

  @Test
  void certificateForAnotherHostIsNotTrusted() {
    String elsewhere = serve().replace("127.0.0.1", "localhost");

    assertFails(connect(elsewhere, new TlsTrust(own.certificate())), ErrorCode.UNAVAILABLE);
  }

  @Test
  void callerWithoutTlsIsClosedByATrackerWithIt() {
    assertFails(connect(serve(), null), ErrorCode.UNAVAILABLE);
  }

  @Test
  void callerWithTlsHangsUpOnATrackerWithoutIt() {
    String plain = nodes.serve(RpcServerConfig.onLoopback(0).withTokens(TOKENS));

    assertFails(connect(plain, new TlsTrust(own.certificate())), ErrorCode.UNAVAILABLE);
  }

  @Test
  void trackersThatShowTheSameCertificateBelieveOneAnother() {
    TlsIdentity identity = new TlsIdentity(own.certificate(), own.privateKey());

    assertThat(get(connectAsTracker(identity.ofPeers())).isOpen()).isTrue();
  }

  @Test
  void trackerBelievesWhomItWasToldToBelieveAndNobodyElse() {
    TlsIdentity ofOther =
        new TlsIdentity(others.certificate(), others.privateKey(), own.certificate());
    TlsIdentity ofStranger = new TlsIdentity(others.certificate(), others.privateKey());

    assertThat(get(connectAsTracker(ofOther.ofPeers())).isOpen()).isTrue();
    assertFails(connectAsTracker(ofStranger.ofPeers()), ErrorCode.UNAVAILABLE);
  }

  private CompletableFuture<Session> connectAsTracker(TlsTrust trust) {
    Token secret = Token.of("the secret that the trackers share");
    String address =
        nodes.serve(
            new RpcServerConfig(
                "127.0.0.1",
                0,
                null,
                0,
                TOKENS.withTracker(secret),
                new TlsIdentity(own.certificate(), own.privateKey()),
                ServerLimits.DEFAULT,
                ConnectionLimits.DEFAULT));
    RpcConnectorConfig config =
        new RpcConnectorConfig(
            NodeRole.TRACKER, "t-2", "", secret, trust, ConnectionLimits.OF_CALLER);
    return nodes.connector(config).connect(address, nodes.caller);
  }

  @Test
  void missingFileIsNamed() {
    Path missing = folder.resolve("missing.pem");

    assertThatThrownBy(() -> serve(new TlsIdentity(own.certificate(), missing)))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("private key " + missing);
    assertThatThrownBy(() -> connect("127.0.0.1:1", new TlsTrust(missing)))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("trusted certificates " + missing);
  }

  @Test
  void fileThatIsNoCertificateIsNamed() {
    assertThatThrownBy(() -> serve(new TlsIdentity(own.privateKey(), own.privateKey())))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining(own.privateKey().toString());
  }

  private String serve() {
    return serve(new TlsIdentity(own.certificate(), own.privateKey()));
  }

  private String serve(TlsIdentity identity) {
    return nodes.serve(
        new RpcServerConfig(
            "127.0.0.1",
            0,
            null,
            0,
            TOKENS,
            identity,
            ServerLimits.DEFAULT,
            ConnectionLimits.DEFAULT));
  }

  private CompletableFuture<Session> connect(String address, @Nullable TlsTrust trust) {
    RpcConnectorConfig config =
        new RpcConnectorConfig(
            NodeRole.CLIENT, "c-1", "shop", CLIENT_TOKEN, trust, ConnectionLimits.DEFAULT);
    return nodes.connector(config).connect(address, nodes.caller);
  }
}
