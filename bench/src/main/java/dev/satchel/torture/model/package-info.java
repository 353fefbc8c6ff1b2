/** Turns of a model whose effects are counted, and the local servers that they need. */
@NullMarked
package dev.satchel.torture.model;

import org.jspecify.annotations.NullMarked;
