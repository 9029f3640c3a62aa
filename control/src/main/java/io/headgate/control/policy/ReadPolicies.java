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
 * Policies that were read last, by their texts: all ports of a switch often have the same one, and
 * each patch of the switch reads them all again.
 */
final class ReadPolicies {
    private static final int MOST_KEPT = 16;

    /** Those asked for last, the latest at the end. */
    private final SequencedMap<Source, Kept> kept = new LinkedHashMap<>();

    /** What was found for an import. */
    private record Found(Source importer, String name, @Nullable Source library) {}

    private record Kept(Policy policy, List<Found> imports) {
        boolean isOf(Policy.Library library) {
            for (Found one : imports) {
                Source now = library.find(one.importer, one.name);
                if (now == null || !now.equals(one.library)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * As {@link Policy#of}; the same one again where its text and those of its imports are as they
     * were.
     */
    synchronized Policy of(Source source, Policy.Library library) throws PolicyException {
        Kept known = kept.remove(source);
        if (known == null || !known.isOf(library)) {
            known = read(source, library);
        }
        kept.putLast(source, known);
        if (kept.size() > MOST_KEPT) {
            kept.pollFirstEntry();
        }
        return known.policy;
    }

    private static Kept read(Source source, Policy.Library library) throws PolicyException {
        List<Found> imports = new ArrayList<>();
        Policy policy =
                Policy.of(
                        source,
                        (importer, name) -> {
                            Source found = library.find(importer, name);
                            imports.add(new Found(importer, name, found));
                            return found;
                        });
        return new Kept(policy, List.copyOf(imports));
    }
}
