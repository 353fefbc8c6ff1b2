@NullMarked
package dev.satchel.server.file;

import org.jspecify.annotations.NullMarked;
