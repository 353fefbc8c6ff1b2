@NullMarked
package dev.satchel.http.download;

import org.jspecify.annotations.NullMarked;
