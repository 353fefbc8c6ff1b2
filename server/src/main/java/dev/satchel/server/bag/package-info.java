/** The bag: files of a conversation, added by people or written back by runs. */
@NullMarked
package dev.satchel.server.bag;

import org.jspecify.annotations.NullMarked;
