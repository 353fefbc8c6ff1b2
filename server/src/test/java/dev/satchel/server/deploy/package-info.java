@NullMarked
package dev.satchel.server.deploy;

import org.jspecify.annotations.NullMarked;
