@NullMarked
package dev.satchel.runner.tool;

import org.jspecify.annotations.NullMarked;
