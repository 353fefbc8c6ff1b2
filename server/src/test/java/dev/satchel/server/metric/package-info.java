@NullMarked
package dev.satchel.server.metric;

import org.jspecify.annotations.NullMarked;
