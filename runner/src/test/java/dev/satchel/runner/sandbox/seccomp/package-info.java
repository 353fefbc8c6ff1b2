@NullMarked
package dev.satchel.runner.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
