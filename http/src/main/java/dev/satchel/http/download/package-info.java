/** Sends stored bytes: ranges, entity tags, file names. */
@NullMarked
package dev.satchel.http.download;

import org.jspecify.annotations.NullMarked;
