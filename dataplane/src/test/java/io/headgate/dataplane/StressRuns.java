package io.headgate.dataplane;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * A process that runs all tests of which jcstress has made runners, one after another, and grades
 * them as jcstress does. Its own main program has a process for each, and starts some twenty more
 * to find out what the JVM can do, which takes ten times as long as the tests.
 */
final class StressRuns {
    private static final int STATES_AT_A_TIME = 256;
    private static final int TIMES = 20;
    private static final int MOST_MB = 64;

    private StressRuns() {}

    /** Its argument is how long each test runs, in ms; 1 if one of them saw what is forbidden. */
    public static void main(String[] args) throws Exception {
        int millis = Integer.parseInt(args[0]);
        int passed = 0;
        int failed = 0;
        for (String name : new TreeSet<>(TestList.tests())) {
            TestInfo test = TestList.getInfo(name);
            TestResult result = runner(test, millis).run();
            List<String> problems = problems(test, result);
            System.out.printf("%s: %d times%n", name, result.getTotalCount());
            problems.forEach(problem -> System.out.println("  " + problem));
            if (problems.isEmpty()) {
                passed++;
            } else {
                failed++;
            }
        }
        System.out.printf("%d passed, %d failed%n", passed, failed);
        // A test that hangs has left threads.
        System.exit(failed == 0 ? 0 : 1);
    }

    private static Runner<?> runner(TestInfo test, int millis) throws Exception {
        return Class.forName(test.generatedRunner())
                .asSubclass(Runner.class)
                .getConstructor(ForkedTestConfig.class)
                .newInstance(config(test, millis));
    }

    /** As it comes to a process of jcstress's own; its other constructor wants the main program. */
    private static ForkedTestConfig config(TestInfo test, int millis) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(SpinLoopStyle.THREAD_SPIN_WAIT.ordinal());
        out.writeInt(millis);
        out.writeInt(1); // iterations
        out.writeUTF(test.generatedRunner());
        out.writeInt(MOST_MB);
        out.writeInt(STATES_AT_A_TIME);
        out.writeInt(TIMES);
        out.writeBoolean(false); // threads are bound to no processor
        return new ForkedTestConfig(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    private static List<String> problems(TestInfo test, TestResult result) {
        List<String> problems = new ArrayList<>();
        if (result.status() != Status.NORMAL || result.getTotalCount() == 0) {
            problems.add(result.status() + ": " + result.getMessages());
        }
        for (String state : result.getStateKeys()) {
            StateCase found = grade(test, state);
            Expect expect = found.expect();
            if (!TestGrading.passed(expect, result.getCount(state))) {
                problems.add(
                        "%s: %d times, %s: %s"
                                .formatted(
                                        state,
                                        result.getCount(state),
                                        expect,
                                        found.description()));
            }
        }
        return problems;
    }

    private static StateCase grade(TestInfo test, String state) {
        for (Predicate<StateCase> matches :
                List.<Predicate<StateCase>>of(
                        one -> one.matchesExactly(state), one -> one.matches(state))) {
            for (StateCase one : test.cases()) {
                if (matches.test(one)) {
                    return one;
                }
            }
        }
        return test.unmatched();
    }
}
