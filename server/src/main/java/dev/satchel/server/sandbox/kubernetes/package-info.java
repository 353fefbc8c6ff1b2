/** A pod for every run, created or claimed from a warm pool. */
@NullMarked
package dev.satchel.server.sandbox.kubernetes;

import org.jspecify.annotations.NullMarked;
