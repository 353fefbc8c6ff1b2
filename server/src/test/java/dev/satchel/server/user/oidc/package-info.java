@NullMarked
package dev.satchel.server.user.oidc;

import org.jspecify.annotations.NullMarked;
