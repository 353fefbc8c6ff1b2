/** The files of a conversation, put in by people or handed back by runs. */
@NullMarked
package dev.satchel.server.bag;

import org.jspecify.annotations.NullMarked;
