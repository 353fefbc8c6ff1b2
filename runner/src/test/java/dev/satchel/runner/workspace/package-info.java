@NullMarked
package dev.satchel.runner.workspace;

import org.jspecify.annotations.NullMarked;
