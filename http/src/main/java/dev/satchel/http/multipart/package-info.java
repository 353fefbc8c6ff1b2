/** Reads {@code multipart/form-data} bodies part by part. */
@NullMarked
package dev.satchel.http.multipart;

import org.jspecify.annotations.NullMarked;
