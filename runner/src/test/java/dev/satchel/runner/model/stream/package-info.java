@NullMarked
package dev.satchel.runner.model.stream;

import org.jspecify.annotations.NullMarked;
