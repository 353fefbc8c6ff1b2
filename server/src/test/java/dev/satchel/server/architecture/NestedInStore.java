package dev.satchel.server.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Optional;

/** A record or lambda inside a store belongs to the store. */
final class NestedInStore extends DescribedPredicate<JavaClass> {
    NestedInStore() {
        super("are nested in a store");
    }

    @Override
    public boolean test(JavaClass type) {
        Optional<JavaClass> outer = type.getEnclosingClass();
        return outer.isPresent()
                && (outer.get().getSimpleName().endsWith("Store") || test(outer.get()));
    }
}
