/** OpenDocument files: odt, ods and odp. */
@NullMarked
package dev.satchel.documents.opendocument;

import org.jspecify.annotations.NullMarked;
