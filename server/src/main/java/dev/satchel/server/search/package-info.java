/** Full-text search over messages, titles and files, in the rights of the caller. */
@NullMarked
package dev.satchel.server.search;

import org.jspecify.annotations.NullMarked;
