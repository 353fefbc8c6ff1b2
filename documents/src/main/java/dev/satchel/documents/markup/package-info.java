/** Formats of marked-up text: HTML, EPUB, RTF and notebooks. */
@NullMarked
package dev.satchel.documents.markup;

import org.jspecify.annotations.NullMarked;
