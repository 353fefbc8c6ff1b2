/** Listings of archives, and the binary formats of old Office, which are not read. */
@NullMarked
package dev.satchel.documents.archive;

import org.jspecify.annotations.NullMarked;
