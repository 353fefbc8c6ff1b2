/** Calls over HTTP that block, end when they should, and can be interrupted. */
@NullMarked
package dev.satchel.runner.net;

import org.jspecify.annotations.NullMarked;
