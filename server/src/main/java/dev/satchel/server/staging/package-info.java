/** Copies of assets that a conversation's agent asked for. */
@NullMarked
package dev.satchel.server.staging;

import org.jspecify.annotations.NullMarked;
