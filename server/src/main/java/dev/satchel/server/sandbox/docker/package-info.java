/** A container per run, by the API of a Docker engine. */
@NullMarked
package dev.satchel.server.sandbox.docker;

import org.jspecify.annotations.NullMarked;
