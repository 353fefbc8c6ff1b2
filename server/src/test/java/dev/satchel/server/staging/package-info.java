@NullMarked
package dev.satchel.server.staging;

import org.jspecify.annotations.NullMarked;
