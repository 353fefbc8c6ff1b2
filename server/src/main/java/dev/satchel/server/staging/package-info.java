/** Copies of assets that the agent of a conversation has requested. */
@NullMarked
package dev.satchel.server.staging;

import org.jspecify.annotations.NullMarked;
