@NullMarked
package dev.satchel.torture.scenario;

import org.jspecify.annotations.NullMarked;
