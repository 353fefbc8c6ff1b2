/** Pictures and charts that stand inside documents. */
@NullMarked
package dev.satchel.documents.embedded;

import org.jspecify.annotations.NullMarked;
