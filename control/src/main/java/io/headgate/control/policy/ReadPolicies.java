package io.headgate.control.policy;

import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.openqueue.language.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the policies that were asked for last, by their texts: all ports of a switch often have the
 * same one, and each patch of the switch reads them all again. For any number of threads; files are
 * read without a lock, so that a slow one does not delay other policies.
 */
final class ReadPolicies {
    /** More than the ports of one switch have in practice; each takes a few kB. */
    static final int MOST_KEPT = 16;

    /** Ordered by their last use, the latest at the end. */
    private final SequencedMap<Source, Kept> kept = new LinkedHashMap<>();

    /** The library that was found for an import. */
    private record Found(Source importer, String name, Source library) {}

    private record Kept(Policy policy, List<Found> imports) {
        boolean isOf(Policy.Library library) {
            for (Found one : imports) {
                if (!one.library.equals(library.find(one.importer, one.name))) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * As {@link Policy#of}; the same object again if its text and those of its imports have not
     * changed.
     */
    Policy of(Source source, Policy.Library library) throws PolicyException {
        Kept known = find(source);
        if (known == null || !known.isOf(library)) {
            known = read(source, library);
        }
        keep(source, known);
        return known.policy;
    }

    private synchronized @Nullable Kept find(Source source) {
        return kept.get(source);
    }

    private synchronized void keep(Source source, Kept latest) {
        kept.putLast(source, latest);
        if (kept.size() > MOST_KEPT) {
            kept.pollFirstEntry();
        }
    }

    private static Kept read(Source source, Policy.Library library) throws PolicyException {
        List<Found> imports = new ArrayList<>();
        Policy policy =
                Policy.of(
                        source,
                        (importer, name) -> {
                            Source found = library.find(importer, name);
                            if (found != null) { // without it there is no policy
                                imports.add(new Found(importer, name, found));
                            }
                            return found;
                        });
        return new Kept(policy, List.copyOf(imports));
    }
}
