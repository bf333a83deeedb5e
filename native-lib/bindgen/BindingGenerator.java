import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the Java bindings of mlx-c: one class for each header with a static method for each function that the symbol
 * list names, and one class for each enum.
 *
 * <pre>java native-lib/bindgen/BindingGenerator.java HEADERS SYMBOLS TARGET</pre>
 *
 * where HEADERS is the folder {@code mlx/c} (build.sh leaves it in {@code native-lib/build/include}), SYMBOLS is
 * {@code native-lib/symbols.txt} and TARGET is the folder of the package {@code dev.omlx.ffi.gen}.
 *
 * <p>The headers are regular enough for this: no macros in declarations, one declaration to a semicolon. What isn't
 * understood stops the generator; nothing is skipped silently.
 *
 * <p>How C types become Java types:
 *
 * <ul>
 *   <li>a pointer, a function pointer: {@code long}, the address;
 *   <li>a handle (a struct of one pointer, passed by value): {@code long}, since both ABIs (System V x86-64, AAPCS64)
 *       pass it as that pointer;
 *   <li>an optional (a struct of a 4-byte value and a flag, passed by value): {@code long}, the value in bits 0-31, the
 *       flag in bit 32, since both ABIs pass it in one general register;
 *   <li>any other struct (all have pointer fields only): {@code MemorySegment};
 *   <li>{@code size_t} and 64-bit integers: {@code long}; enums and {@code int}: {@code int}; {@code bool}:
 *       {@code boolean}.
 * </ul>
 */
final class BindingGenerator {

    private static final String PACKAGE = "dev.omlx.ffi.gen";

    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("usage: java BindingGenerator.java HEADERS SYMBOLS TARGET");
            System.exit(2);
        }
        generate(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
    }

    static void generate(Path headerFolder, Path symbolFile, Path target) throws IOException {
        Set<String> symbols = readSymbols(symbolFile);
        List<Header> headers = new ArrayList<>();
        try (Stream<Path> files = Files.list(headerFolder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".h")).sorted().toList()) {
                headers.add(HeaderParser.parse(file));
            }
        }
        Types types = Types.of(headers);
        Set<String> unknown = new LinkedHashSet<>(symbols);
        Map<String, String> sources = new TreeMap<>();
        for (Header header : headers) {
            List<Function> wanted =
                    header.functions().stream().filter(f -> symbols.contains(f.name())).toList();
            wanted.forEach(f -> unknown.remove(f.name()));
            if (!wanted.isEmpty()) {
                String name = className(header.name());
                sources.put(name, ClassWriter.functions(name, header.name(), wanted, types));
            }
            for (EnumType type : header.enums()) {
                String name = className(type.name().replaceFirst("^mlx_", ""));
                sources.put(name, ClassWriter.constants(name, header.name(), type));
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("in " + symbolFile + " but in no header: " + String.join(", ", unknown));
        }
        Files.createDirectories(target);
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Files.writeString(target.resolve(source.getKey() + ".java"), source.getValue());
        }
    }

    private static Set<String> readSymbols(Path file) throws IOException {
        Set<String> symbols = new LinkedHashSet<>();
        for (String line : Files.readAllLines(file)) {
            String symbol = line.replaceFirst("#.*", "").strip();
            if (!symbol.isEmpty() && !symbols.add(symbol)) {
                throw new IllegalStateException(file + " names " + symbol + " twice");
            }
        }
        return symbols;
    }

    /** {@code io_types} becomes {@code MlxIoTypes}. */
    private static String className(String snake) {
        return "Mlx" + camelCase(snake);
    }

    private static String camelCase(String snake) {
        return Stream.of(snake.split("_"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }

    record Header(String name, List<Function> functions, List<StructType> structs, List<EnumType> enums) {}

    record Function(String name, String result, List<Parameter> parameters) {}

    record Parameter(String name, String type, boolean nullable) {}

    record StructType(String name, List<String> fields) {}

    record EnumType(String name, List<String> constants) {}

    /** Reads one header. */
    static final class HeaderParser {

        private static final Pattern MAY_BE_NULL = Pattern.compile("/\\* may be null \\*/");
        private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
        /** Half floats as C types: only some compilers have them. */
        private static final Pattern CONDITIONAL =
                Pattern.compile("^#(?:ifdef HAS_|if defined\\(__ARM)[^\n]*\n.*?^#endif$", Pattern.DOTALL | Pattern.MULTILINE);

        private static final Pattern DIRECTIVE = Pattern.compile("^[ ]*#(?:[^\n]*\\\\\n)*[^\n]*$", Pattern.MULTILINE);
        private static final Pattern EXTERN_C = Pattern.compile("extern \"C\" \\{(.*)}", Pattern.DOTALL);
        private static final Pattern STRUCT = Pattern.compile("typedef struct \\w+ \\{(.*)} (\\w+)");
        private static final Pattern ENUM = Pattern.compile("typedef enum \\w+ \\{(.*)} (\\w+)");
        private static final Pattern FUNCTION = Pattern.compile("([\\w ]+[ *]+)(\\w+)\\((.*)\\)");
        private static final Pattern FUNCTION_POINTER = Pattern.compile(".*\\(\\*(\\w+)\\)\\(.*\\)");
        private static final Pattern VARIABLE = Pattern.compile("(.*[ *])(\\w+)");

        static Header parse(Path file) throws IOException {
            String text = Files.readString(file).replace("\r\n", "\n");
            text = MAY_BE_NULL.matcher(text).replaceAll("__nullable");
            text = COMMENT.matcher(text).replaceAll(" ");
            text = CONDITIONAL.matcher(text).replaceAll("");
            text = DIRECTIVE.matcher(text).replaceAll("");
            Matcher body = EXTERN_C.matcher(text);
            Header header = new Header(
                    file.getFileName().toString().replaceFirst("\\.h$", ""),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
            for (String declaration : split(body.find() ? body.group(1) : text, ';')) {
                read(declaration.replaceAll("\\s+", " ").strip(), header);
            }
            return header;
        }

        private static void read(String declaration, Header header) {
            if (declaration.isEmpty()
                    || declaration.startsWith("static ")
                    || declaration.matches("typedef struct \\w+ \\w+")
                    || FUNCTION_POINTER.matcher(declaration).matches() && declaration.startsWith("typedef ")
                            && !declaration.contains("{")) {
                return;
            }
            Matcher struct = STRUCT.matcher(declaration);
            Matcher enumeration = ENUM.matcher(declaration);
            Matcher function = FUNCTION.matcher(declaration);
            if (struct.matches()) {
                header.structs().add(new StructType(struct.group(2), split(struct.group(1), ';')));
            } else if (enumeration.matches()) {
                header.enums().add(new EnumType(enumeration.group(2), constants(enumeration.group(1))));
            } else if (function.matches()) {
                header.functions()
                        .add(new Function(function.group(2), type(function.group(1)), parameters(function.group(3))));
            } else {
                throw new IllegalStateException("not understood in " + header.name() + ".h: " + declaration);
            }
        }

        private static List<String> constants(String body) {
            List<String> constants = split(body, ',');
            constants.stream().filter(c -> !c.matches("\\w+")).forEach(c -> {
                throw new IllegalStateException("an enum constant with a value: " + c);
            });
            return constants;
        }

        private static List<Parameter> parameters(String list) {
            if (list.isBlank() || list.strip().equals("void")) {
                return List.of();
            }
            return split(list, ',').stream().map(HeaderParser::parameter).toList();
        }

        private static Parameter parameter(String text) {
            boolean nullable = text.contains("__nullable");
            String declaration = text.replace("__nullable", "").strip();
            Matcher pointer = FUNCTION_POINTER.matcher(declaration);
            if (pointer.matches()) {
                return new Parameter(pointer.group(1), "function*", nullable);
            }
            Matcher variable = VARIABLE.matcher(declaration);
            if (!variable.matches()) {
                // variadic, for one: no binding possible, which matters only if the function is asked for
                return new Parameter("unnamed", declaration, nullable);
            }
            return new Parameter(variable.group(2), type(variable.group(1)), nullable);
        }

        private static String type(String text) {
            return text.replaceAll("\\bconst\\b", "").replaceAll("\\s+", "");
        }

        /** Splits at a separator outside of brackets; blank parts fall away. */
        private static List<String> split(String text, char separator) {
            List<String> parts = new ArrayList<>();
            int depth = 0;
            int start = 0;
            for (int i = 0; i <= text.length(); i++) {
                char c = i < text.length() ? text.charAt(i) : separator;
                depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
                if (c == separator && (depth == 0 || i == text.length())) {
                    String part = text.substring(start, i).strip();
                    if (!part.isEmpty()) {
                        parts.add(part);
                    }
                    start = i + 1;
                }
            }
            return parts;
        }
    }

    /** How a C type looks in Java; {@code words} is the number of pointers in a struct that goes as a segment. */
    record JavaType(String name, char descriptor, int words) {

        static final JavaType LONG = new JavaType("long", 'J', 0);
        static final JavaType INT = new JavaType("int", 'I', 0);

        boolean isSegment() {
            return words > 0;
        }
    }

    /** The type table. */
    static final class Types {

        private static final Set<String> FOUR_BYTE_VALUES = Set.of("int", "float", "mlx_dtype");

        private final Map<String, JavaType> byName = new LinkedHashMap<>();
        private final Set<String> optionals = new LinkedHashSet<>();

        static Types of(List<Header> headers) {
            Types types = new Types();
            List.of("size_t", "int64_t", "uint64_t", "uintptr_t").forEach(t -> types.byName.put(t, JavaType.LONG));
            List.of("int", "int32_t", "uint32_t").forEach(t -> types.byName.put(t, JavaType.INT));
            types.byName.put("bool", new JavaType("boolean", 'Z', 0));
            types.byName.put("float", new JavaType("float", 'F', 0));
            types.byName.put("double", new JavaType("double", 'D', 0));
            types.byName.put("void", new JavaType("void", 'V', 0));
            types.byName.put("mlx_error_handler_func", JavaType.LONG);
            for (Header header : headers) {
                header.enums().forEach(e -> types.byName.put(e.name(), JavaType.INT));
                header.structs().forEach(types::add);
            }
            return types;
        }

        private void add(StructType struct) {
            List<String> fields = struct.fields();
            if (fields.size() == 2 && fields.get(1).equals("bool has_value")) {
                String value = fields.get(0).replaceFirst(" value$", "");
                if (!FOUR_BYTE_VALUES.contains(value)) {
                    throw new IllegalStateException("an optional of another size: " + struct);
                }
                optionals.add(struct.name());
                byName.put(struct.name(), JavaType.LONG);
            } else if (fields.stream().allMatch(f -> f.contains("*"))) {
                byName.put(
                        struct.name(),
                        fields.size() == 1 ? JavaType.LONG : new JavaType("MemorySegment", 'L', fields.size()));
            } else {
                throw new IllegalStateException("a struct that can't be passed: " + struct);
            }
        }

        JavaType of(String cType) {
            if (cType.endsWith("*")) {
                return JavaType.LONG;
            }
            JavaType type = byName.get(cType);
            if (type == null) {
                throw new IllegalStateException("unknown C type: " + cType);
            }
            return type;
        }

        /**
         * A packed optional counts as a {@code long} for the linker, which aligns it to 8 bytes on the stack. Apple's
         * ABI aligns the struct to 4 there, so behind a smaller stack argument the two would differ.
         */
        void checkOptionalsAligned(Function function) {
            int registers = 0;
            boolean unaligned = false;
            for (Parameter parameter : function.parameters()) {
                JavaType type = of(parameter.type());
                boolean inRegister = "FD".indexOf(type.descriptor()) >= 0 || registers++ < 8;
                if (!inRegister && optionals.contains(parameter.type()) && unaligned) {
                    throw new IllegalStateException("an optional at an odd place on the stack: " + function);
                }
                unaligned |= !inRegister && type.descriptor() != 'J';
            }
        }
    }

    /** Writes the Java text. */
    static final class ClassWriter {

        static String functions(String className, String header, List<Function> functions, Types types) {
            boolean segments = functions.stream()
                    .anyMatch(f -> signature(f, types).stream().anyMatch(JavaType::isSegment));
            boolean allocators =
                    functions.stream().anyMatch(f -> types.of(f.result()).isSegment());
            StringBuilder out = new StringBuilder(head(header));
            out.append("import dev.omlx.ffi.Downcall;\n");
            if (segments) {
                out.append("import java.lang.foreign.MemorySegment;\n");
            }
            if (allocators) {
                out.append("import java.lang.foreign.SegmentAllocator;\n");
            }
            out.append("import java.lang.invoke.MethodHandle;\n");
            out.append("import javax.annotation.processing.Generated;\n\n");
            out.append("/** The functions of {@code mlx/c/" + header + ".h}. */\n");
            out.append("@Generated(\"BindingGenerator\")\n");
            out.append("public final class " + className + " {\n\n");
            out.append("    private " + className + "() {}\n");
            for (Function function : functions) {
                types.checkOptionalsAligned(function);
                out.append(method(function, types));
                out.append(holder(function, types));
            }
            return out.append("}\n").toString();
        }

        static String constants(String className, String header, EnumType type) {
            StringBuilder out = new StringBuilder(head(header));
            out.append("import javax.annotation.processing.Generated;\n\n");
            out.append("/** The values of {@code " + type.name() + "}. */\n");
            out.append("@Generated(\"BindingGenerator\")\n");
            out.append("public final class " + className + " {\n\n");
            for (int i = 0; i < type.constants().size(); i++) {
                out.append("    public static final int " + type.constants().get(i) + " = " + i + ";\n");
            }
            return out.append("\n    private " + className + "() {}\n}\n").toString();
        }

        private static String head(String header) {
            return "// Generated by native-lib/bindgen/BindingGenerator.java from mlx/c/" + header
                    + ".h and native-lib/symbols.txt; don't edit.\npackage " + PACKAGE + ";\n\n";
        }

        private static List<JavaType> signature(Function function, Types types) {
            List<JavaType> signature = new ArrayList<>();
            signature.add(types.of(function.result()));
            function.parameters().forEach(p -> signature.add(types.of(p.type())));
            return signature;
        }

        /** The handle is made on the first call: making all of them would cost half a second at the start. */
        private static String holder(Function function, Types types) {
            List<JavaType> signature = signature(function, types);
            String type;
            if (signature.stream().anyMatch(JavaType::isSegment)) {
                type = signature.stream()
                        .map(t -> t.isSegment()
                                ? "Downcall.words(" + t.words() + ")"
                                : t.name().equals("void") ? "null" : "Downcall." + t.name().toUpperCase(Locale.ROOT))
                        .collect(Collectors.joining(", "));
            } else {
                type = signature.stream()
                        .skip(1)
                        .map(t -> String.valueOf(t.descriptor()))
                        .collect(Collectors.joining("", "\"(", ")" + signature.get(0).descriptor() + "\""));
            }
            return "\n    private static final class " + holderName(function) + " {\n"
                    + "        static final MethodHandle HANDLE = Downcall.function(\"" + function.name() + "\", " + type
                    + ");\n"
                    + "    }\n";
        }

        private static String method(Function function, Types types) {
            JavaType result = types.of(function.result());
            List<String> declared = new ArrayList<>();
            List<String> passed = new ArrayList<>();
            if (result.isSegment()) {
                declared.add("SegmentAllocator allocator");
                passed.add("allocator");
            }
            for (Parameter parameter : function.parameters()) {
                declared.add(types.of(parameter.type()).name() + " " + parameter.name());
                passed.add(parameter.name());
            }
            String call = holderName(function) + ".HANDLE.invokeExact(" + String.join(", ", passed) + ");\n";
            String statement = result.name().equals("void") ? call : "return (" + result.name() + ") " + call;
            return "\n    /** {@code " + describe(function) + "} */\n"
                    + "    public static " + result.name() + " " + function.name() + "(" + String.join(", ", declared)
                    + ") {\n"
                    + "        try {\n"
                    + "            " + statement
                    + "        } catch (Throwable e) {\n"
                    + "            throw Downcall.unexpected(e);\n"
                    + "        }\n"
                    + "    }\n";
        }

        /** What each {@code long} stands for, as {@code (res: mlx_array*, key: mlx_array?) int}; ? is "may be null". */
        private static String describe(Function function) {
            return function.parameters().stream()
                    .map(p -> p.name() + ": " + p.type() + (p.nullable() ? "?" : ""))
                    .collect(Collectors.joining(", ", "(", ") " + function.result()));
        }

        /** {@code mlx_array_new} becomes {@code ArrayNew}. */
        private static String holderName(Function function) {
            return camelCase(function.name().replaceFirst("^_?mlx_", ""));
        }
    }
}
