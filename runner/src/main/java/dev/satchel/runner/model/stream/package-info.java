/** Reads the streams of model providers: their framing, and tags in their text. */
@NullMarked
package dev.satchel.runner.model.stream;

import org.jspecify.annotations.NullMarked;
