@NullMarked
package dev.satchel.runner.sandbox.setup;

import org.jspecify.annotations.NullMarked;
