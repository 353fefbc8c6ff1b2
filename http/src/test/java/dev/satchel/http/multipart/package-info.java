@NullMarked
package dev.satchel.http.multipart;

import org.jspecify.annotations.NullMarked;
