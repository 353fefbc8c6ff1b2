@NullMarked
package dev.satchel.client;

import org.jspecify.annotations.NullMarked;
