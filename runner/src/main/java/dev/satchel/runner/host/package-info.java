/** The workspaces of one disk, and the way to them for servers on other machines. */
@NullMarked
package dev.satchel.runner.host;

import org.jspecify.annotations.NullMarked;
