@NullMarked
package dev.satchel.server.workspace.remote;

import org.jspecify.annotations.NullMarked;
