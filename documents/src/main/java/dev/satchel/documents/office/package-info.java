/** Documents of Office since 2007: docx, xlsx and pptx. */
@NullMarked
package dev.satchel.documents.office;

import org.jspecify.annotations.NullMarked;
