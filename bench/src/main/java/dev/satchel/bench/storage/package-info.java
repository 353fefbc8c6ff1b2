/** What many chats cost: their storage page, their sweep, and the disk after they are deleted. */
@NullMarked
package dev.satchel.bench.storage;

import org.jspecify.annotations.NullMarked;
