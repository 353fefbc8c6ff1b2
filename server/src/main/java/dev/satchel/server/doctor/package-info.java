/** The checks of {@code satchel doctor}. */
@NullMarked
package dev.satchel.server.doctor;

import org.jspecify.annotations.NullMarked;
