/** What the readers of all formats share: the request, its limits, and where parts are written. */
@NullMarked
package dev.satchel.documents.reading;

import org.jspecify.annotations.NullMarked;
