package io.millrace.common.rpc;

import java.nio.file.Path;

/**
 * What a tracker shows its callers.
 *
 * @param certificateChain PEM file, the tracker's own certificate first
 * @param privateKey PEM file, PKCS#8, not encrypted
 */
public record TlsIdentity(Path certificateChain, Path privateKey) {}
