@NullMarked
package dev.satchel.server.document;

import org.jspecify.annotations.NullMarked;
