@NullMarked
package dev.satchel.bench;

import org.jspecify.annotations.NullMarked;
