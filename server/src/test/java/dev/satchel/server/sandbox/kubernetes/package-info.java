@NullMarked
package dev.satchel.server.sandbox.kubernetes;

import org.jspecify.annotations.NullMarked;
