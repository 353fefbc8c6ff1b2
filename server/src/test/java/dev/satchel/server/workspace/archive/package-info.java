@NullMarked
package dev.satchel.server.workspace.archive;

import org.jspecify.annotations.NullMarked;
