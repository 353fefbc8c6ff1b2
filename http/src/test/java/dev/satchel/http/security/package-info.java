@NullMarked
package dev.satchel.http.security;

import org.jspecify.annotations.NullMarked;
