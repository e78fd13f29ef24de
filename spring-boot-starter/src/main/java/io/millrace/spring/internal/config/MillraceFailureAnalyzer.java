package io.millrace.spring.internal.config;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes why Millrace cannot start in the application. */
final class MillraceFailureAnalyzer extends AbstractFailureAnalyzer<MillraceStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, MillraceStartException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
