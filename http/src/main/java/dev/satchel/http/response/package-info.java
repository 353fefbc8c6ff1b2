/** Parts of responses: entity tags, compression, the date. */
@NullMarked
package dev.satchel.http.response;

import org.jspecify.annotations.NullMarked;
