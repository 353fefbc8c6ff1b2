/** What a sandbox costs to start, and how many start at once. */
@NullMarked
package dev.satchel.bench.sandbox;

import org.jspecify.annotations.NullMarked;
