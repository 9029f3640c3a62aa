package io.headgate.dataplane;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Runs two threads' calls of a structure in the orders that their single steps can have, a few
 * hundred for each scenario (Lincheck's model checker; the same ones every time). It finds what
 * goes wrong when one thread is held between two steps and the other goes on. It does not see what
 * a compiler or a processor reorders: to it, every access is volatile; and it does not stop between
 * accesses of memory outside the heap. For both see {@link MemoryModelTest}.
 *
 * <p>A structure has public methods marked {@code Operation}; those of one {@code nonParallelGroup}
 * are one thread's. What they answer must be what the methods of the same names of a sequential
 * specification answer for some order of the calls that overlap.
 */
public final class Interleavings {
    private Interleavings() {}

    /** A call is a method's name and its arguments, which are integers: {@code "put 1 2"}. */
    public record Scenario(List<String> before, List<String> one, List<String> other) {}

    /**
     * Checks scenarios in which something could go wrong, and one that is drawn at random. Fails
     * with the scenario and its steps if an answer is not that of the specification.
     */
    public static void check(Class<?> structure, Class<?> specification, Scenario... scenarios) {
        // One call for all: each has the agent transform every class that is loaded.
        ModelCheckingOptions options =
                new ModelCheckingOptions()
                        .threads(2)
                        .minimizeFailedScenario(false)
                        .sequentialSpecification(specification)
                        .invocationsPerIteration(400)
                        .iterations(1)
                        .actorsBefore(2)
                        .actorsPerThread(3)
                        .actorsAfter(2);
        for (Scenario scenario : scenarios) {
            options.addCustomScenario(
                    new ExecutionScenario(
                            actors(structure, scenario.before),
                            List.of(
                                    actors(structure, scenario.one),
                                    actors(structure, scenario.other)),
                            List.of(),
                            null));
        }
        options.check(structure);
    }

    private static List<Actor> actors(Class<?> structure, List<String> calls) {
        return calls.stream().map(call -> actor(structure, call.split(" "))).toList();
    }

    private static Actor actor(Class<?> structure, String[] call) {
        Method method =
                Arrays.stream(structure.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(call[0]))
                        .findFirst()
                        .orElseThrow();
        return new Actor(method, Arrays.stream(call).skip(1).map(Integer::valueOf).toList());
    }
}
