// Says what classes use that an Android of some level does not have: ApiCheck SIGNATURE CLASSES.

import java.io.File;
import java.io.FileInputStream;
import java.util.List;
import java.util.Set;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;

class ApiCheck {
    private static final Set<String> OTHERS = Set.of(
        "dev.mcpbolt.*", "kotlin.*", "kotlinx.*", "com.sun.jna.*", "io.opentelemetry.*", "_COROUTINE.*",
        // Looked for while the program runs: JNA has one for systems without.
        "java.lang.ref.Cleaner", "java.lang.ref.Cleaner$Cleanable");

    public static void main(String[] arguments) throws Exception {
        try (var signature = new FileInputStream(arguments[0])) {
            var checker = new SignatureChecker(signature, OTHERS, new PrintWriterLogger(System.out));
            checker.setSourcePath(List.of());
            checker.process(new File(arguments[1]));
            System.exit(checker.isSignatureBroken() ? 1 : 0);
        }
    }
}
