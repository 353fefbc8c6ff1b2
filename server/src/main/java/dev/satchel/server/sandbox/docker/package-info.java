/** A container for every run, started by a Docker engine. */
@NullMarked
package dev.satchel.server.sandbox.docker;

import org.jspecify.annotations.NullMarked;
