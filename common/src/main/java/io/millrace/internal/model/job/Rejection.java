package io.millrace.internal.model.job;

import io.millrace.api.RejectReason;

/**
 * Why a job cannot be accepted.
 *
 * @param reason for programs
 * @param message for people: what is wrong, and where
 */
public record Rejection(RejectReason reason, String message) {}
