/** Chooses how commands are isolated on this machine. */
@NullMarked
package dev.satchel.runner.sandbox.setup;

import org.jspecify.annotations.NullMarked;
