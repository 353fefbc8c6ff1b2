@NullMarked
package dev.satchel.server.workspace.files;

import org.jspecify.annotations.NullMarked;
