/** PDF: text by the programs of poppler where they are installed, else by PDFBox; pictures; OCR. */
@NullMarked
package dev.satchel.documents.pdf;

import org.jspecify.annotations.NullMarked;
