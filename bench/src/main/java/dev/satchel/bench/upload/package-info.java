/** Files that come in, and a large one read again. */
@NullMarked
package dev.satchel.bench.upload;

import org.jspecify.annotations.NullMarked;
