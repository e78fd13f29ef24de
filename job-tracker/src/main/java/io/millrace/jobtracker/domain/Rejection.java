package io.millrace.jobtracker.domain;

import io.millrace.common.model.RejectReason;

/**
 * Why a job cannot be accepted.
 *
 * @param reason for a program
 * @param message for a person: what is wrong, and where
 */
public record Rejection(RejectReason reason, String message) {}
