/** The tools that agents have in a run: those that read files, and those that need a sandbox. */
@NullMarked
package dev.satchel.runner.tool;

import org.jspecify.annotations.NullMarked;
