/** Asks language models, in the wire formats of their providers. */
@NullMarked
package dev.satchel.runner.model;

import org.jspecify.annotations.NullMarked;
