/**
 * The wire floor: Vert.x moves the bytes, handlers block plainly on virtual threads. Nothing else
 * sees Vert.x.
 */
@NullMarked
package dev.satchel.http;

import org.jspecify.annotations.NullMarked;
