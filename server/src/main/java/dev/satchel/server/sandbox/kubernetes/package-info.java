/** A pod per run, made by us or claimed from a warm pool. */
@org.jspecify.annotations.NullMarked
package dev.satchel.server.sandbox.kubernetes;
