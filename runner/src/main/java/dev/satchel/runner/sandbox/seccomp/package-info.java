/** The system call filter every sandboxed command runs under. */
@NullMarked
package dev.satchel.runner.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
