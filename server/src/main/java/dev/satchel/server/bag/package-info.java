/** The files of a conversation: their names, their types, their bytes. */
@NullMarked
package dev.satchel.server.bag;

import org.jspecify.annotations.NullMarked;
