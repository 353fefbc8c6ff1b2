/** Workspaces on the disks of other servers and of runners on other machines. */
@NullMarked
package dev.satchel.server.workspace.remote;

import org.jspecify.annotations.NullMarked;
