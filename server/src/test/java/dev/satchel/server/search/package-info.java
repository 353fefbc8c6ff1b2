@NullMarked
package dev.satchel.server.search;

import org.jspecify.annotations.NullMarked;
