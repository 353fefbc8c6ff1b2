/** The text of documents: how it is extracted, stored, indexed and shown. */
@NullMarked
package dev.satchel.server.document;

import org.jspecify.annotations.NullMarked;
