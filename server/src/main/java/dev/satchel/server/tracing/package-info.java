/** Spans of requests and runs, sent to an OpenTelemetry collector. Unused unless configured. */
@NullMarked
package dev.satchel.server.tracing;

import org.jspecify.annotations.NullMarked;
