/** The text of documents: how it is extracted. */
@NullMarked
package dev.satchel.server.document;

import org.jspecify.annotations.NullMarked;
