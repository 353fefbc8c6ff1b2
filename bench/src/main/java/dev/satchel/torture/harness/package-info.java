@NullMarked
package dev.satchel.torture.harness;

import org.jspecify.annotations.NullMarked;
