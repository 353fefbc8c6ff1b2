/** The benchmark: every figure the system is held to, beside what it is measured against. */
@NullMarked
package dev.satchel.bench;

import org.jspecify.annotations.NullMarked;
