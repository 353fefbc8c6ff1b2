@NullMarked
package dev.satchel.http.outbound;

import org.jspecify.annotations.NullMarked;
