@NullMarked
package dev.satchel.server.branch;

import org.jspecify.annotations.NullMarked;
