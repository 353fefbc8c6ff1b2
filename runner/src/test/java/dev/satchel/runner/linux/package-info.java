@NullMarked
package dev.satchel.runner.linux;

import org.jspecify.annotations.NullMarked;
