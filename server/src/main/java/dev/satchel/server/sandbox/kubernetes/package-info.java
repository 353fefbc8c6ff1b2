/** A pod per run, made by us or claimed from a warm pool. */
@NullMarked
package dev.satchel.server.sandbox.kubernetes;

import org.jspecify.annotations.NullMarked;
