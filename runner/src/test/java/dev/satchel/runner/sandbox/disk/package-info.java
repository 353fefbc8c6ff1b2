@NullMarked
package dev.satchel.runner.sandbox.disk;

import org.jspecify.annotations.NullMarked;
