/** Looks for what is missing or wrong before it hurts, and says what to do about it. */
@NullMarked
package dev.satchel.server.doctor;

import org.jspecify.annotations.NullMarked;
