/** The trace to which a request belongs, as W3C Trace Context has it in headers. */
@NullMarked
package dev.satchel.http.tracing;

import org.jspecify.annotations.NullMarked;
