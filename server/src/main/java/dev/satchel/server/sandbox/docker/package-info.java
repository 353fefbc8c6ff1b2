/** A container per run, by the API of a Docker engine. */
@org.jspecify.annotations.NullMarked
package dev.satchel.server.sandbox.docker;
