/** Zip files of XML parts, as Office, OpenDocument and EPUB use them, read within limits. */
@NullMarked
package dev.satchel.documents.xml;

import org.jspecify.annotations.NullMarked;
