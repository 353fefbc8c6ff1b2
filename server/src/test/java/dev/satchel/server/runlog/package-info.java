@NullMarked
package dev.satchel.server.runlog;

import org.jspecify.annotations.NullMarked;
