/** Health, readiness and metrics. */
@NullMarked
package dev.satchel.server.operations;

import org.jspecify.annotations.NullMarked;
