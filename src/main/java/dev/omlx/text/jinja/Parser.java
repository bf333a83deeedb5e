package dev.omlx.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the statements of a template. */
final class Parser {
    private static final Set<String> REFUSED = Set.of("extends", "include", "import", "from");

    private final TokenStream tokens;
    private final Nesting nesting = new Nesting(Limits.SOURCE_NESTING);
    private final NameUses uses = new NameUses();
    private final ExpressionParser expressions;
    private final TargetParser targets;

    /** Loops around the current statement within its macro: where {@code break} may stand. */
    private int loops;

    private Parser(List<Token> tokens) {
        this.tokens = new TokenStream(tokens);
        this.expressions = new ExpressionParser(this.tokens, nesting, uses);
        this.targets = new TargetParser(this.tokens, nesting, uses);
    }

    static List<Statement> parse(String source) {
        Parser parser = new Parser(Lexer.tokenize(source));
        return parser.body(Set.of());
    }

    /** Statements up to a tag of one of these names, whose name is then the current token; up to the end for none. */
    private List<Statement> body(Set<String> ends) {
        List<Statement> body = new ArrayList<>();
        int start = tokens.line();
        while (true) {
            Token token = tokens.next();
            switch (token.kind()) {
                case DATA -> body.add(new Statement.Text(token.text()));
                case VARIABLE_BEGIN -> {
                    body.add(new Statement.Print(expressions.tuple(), token.line()));
                    tokens.expect(Token.Kind.VARIABLE_END);
                }
                case BLOCK_BEGIN -> {
                    Token name = tokens.current();
                    if (name.is(Token.Kind.NAME) && ends.contains(name.text())) {
                        return body;
                    }
                    body.add(statement());
                    tokens.expect(Token.Kind.BLOCK_END);
                }
                default -> {
                    if (!ends.isEmpty()) {
                        throw JinjaException.syntax("The template ends without " + tags(ends), start);
                    }
                    return body;
                }
            }
        }
    }

    private static String tags(Set<String> names) {
        return String.join(
                " or ",
                names.stream().sorted().map(name -> "{% " + name + " %}").toList());
    }

    /** The statements of a block after its head; the end's name is then the current token. */
    private List<Statement> blockBody(String... ends) {
        tokens.skipOperator(":");
        tokens.expect(Token.Kind.BLOCK_END);
        return body(Set.of(ends));
    }

    private Statement.Block scopedBody(String end) {
        List<Statement> body = blockBody(end);
        tokens.next();
        return new Statement.Block(body, new ScopeLayout());
    }

    private Statement statement() {
        Token token = tokens.expect(Token.Kind.NAME);
        nesting.enter(token.line());
        Statement statement = switch (token.text()) {
            case "if" -> ifStatement();
            case "for" -> forStatement(token.line());
            case "set" -> set(token.line());
            case "macro" -> macro(token.line());
            case "call" -> callBlock(token.line());
            case "filter" -> filterBlock(token.line());
            case "with" -> with(token.line());
            case "print" -> print(token.line());
            case "block" -> block();
            case "generation" -> generation();
            case "autoescape" -> autoescape(token.line());
            case "break" -> loopControl(new Statement.Break(), token);
            case "continue" -> loopControl(new Statement.Continue(), token);
            default -> throw unknown(token);
        };
        nesting.leave();
        return statement;
    }

    private static JinjaException unknown(Token tag) {
        String reason = REFUSED.contains(tag.text())
                ? "is refused: a chat template can't load other templates"
                : "is unknown, or out of place";
        return JinjaException.syntax("The tag '" + tag.text() + "' " + reason, tag.line());
    }

    private Statement loopControl(Statement statement, Token token) {
        if (loops == 0) {
            throw JinjaException.syntax("'" + token.text() + "' is outside of a loop", token.line());
        }
        return statement;
    }

    private Statement print(int line) {
        List<Expression> parts = new ArrayList<>();
        while (!tokens.current().is(Token.Kind.BLOCK_END)) {
            if (!parts.isEmpty()) {
                tokens.expectOperator(",");
            }
            parts.add(expressions.expression());
        }
        return new Statement.Print(new Expression.Concat(parts), line);
    }

    private Statement ifStatement() {
        List<Statement.Branch> branches = new ArrayList<>();
        while (true) {
            int line = tokens.line();
            Expression test = expressions.unconditionalTuple(null);
            branches.add(new Statement.Branch(test, blockBody("elif", "else", "endif"), line));
            String end = tokens.next().text();
            if (end.equals("endif")) {
                return new Statement.If(branches, List.of());
            }
            if (end.equals("else")) {
                List<Statement> otherwise = blockBody("endif");
                tokens.next();
                return new Statement.If(branches, otherwise);
            }
        }
    }

    private Statement forStatement(int line) {
        targets.enterLoop();
        Target target = targets.target("in");
        tokens.expectName("in");
        Expression iterable = expressions.unconditionalTuple("recursive");
        Statement.Filter filter =
                tokens.skipName("if") ? new Statement.Filter(expressions.expression(), new ScopeLayout()) : null;
        boolean recursive = tokens.skipName("recursive");
        uses.watch("loop");
        loops++;
        List<Statement> body = blockBody("endfor", "else");
        loops--;
        boolean usesLoop = !uses.unwatch().isEmpty() || recursive;
        List<Statement> otherwise = List.of();
        if (tokens.next().text().equals("else")) {
            int outerLoops = loops;
            loops = recursive ? 0 : outerLoops;
            otherwise = blockBody("endfor");
            tokens.next();
            loops = outerLoops;
        }
        targets.leaveLoop();
        return new Statement.For(
                target,
                iterable,
                filter,
                new Statement.Block(body, new ScopeLayout()),
                new Statement.Block(otherwise, new ScopeLayout()),
                recursive,
                usesLoop ? new Expression.Name("loop") : null,
                line);
    }

    private Statement set(int line) {
        Target target = targets.setTarget();
        if (tokens.skipOperator("=")) {
            return new Statement.Set(target, expressions.tuple(), line);
        }
        Expression.FilterCall filters = expressions.operands().filters(null);
        return new Statement.SetBlock(target, filters, scopedBody("endset"), line);
    }

    private Statement macro(int line) {
        Expression.Name name = targets.variable(tokens.expect(Token.Kind.NAME));
        return new Statement.MacroDefinition(name, macroCode(name.name(), signature(), "endmacro"), line);
    }

    private Statement callBlock(int line) {
        Signature signature = tokens.current().isOperator("(") ? signature() : Signature.EMPTY;
        if (!(expressions.expression() instanceof Expression.Call call)) {
            throw JinjaException.syntax("The call block needs a call", line);
        }
        return new Statement.CallBlock(call, macroCode(null, signature, "endcall"), line);
    }

    private Signature signature() {
        return Signature.parse(tokens, expressions, uses);
    }

    private MacroCode macroCode(@Nullable String name, Signature signature, String end) {
        int line = tokens.line();
        int outerLoops = loops;
        loops = 0;
        uses.watch("caller", "kwargs", "varargs");
        Statement.Block body = scopedBody(end);
        Set<String> used = uses.unwatch();
        loops = outerLoops;
        if (used.contains("caller") && signature.declares("caller") && !signature.hasDefault("caller")) {
            throw JinjaException.syntax("The parameter 'caller' needs a default", line);
        }
        return new MacroCode(
                name,
                signature.parameters(),
                signature.defaults(),
                signature.special("caller", used),
                signature.special("kwargs", used),
                signature.special("varargs", used),
                body);
    }

    private Statement filterBlock(int line) {
        Expression.FilterCall filters =
                expressions.operands().filters(expressions.operands().filter(null));
        return new Statement.FilterBlock(Objects.requireNonNull(filters), scopedBody("endfilter"), line);
    }

    private Statement with(int line) {
        List<Target> assigned = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!tokens.current().is(Token.Kind.BLOCK_END)) {
            if (!assigned.isEmpty()) {
                tokens.expectOperator(",");
            }
            assigned.add(targets.target("="));
            tokens.expectOperator("=");
            values.add(expressions.expression());
        }
        return new Statement.With(assigned, values, scopedBody("endwith"), line);
    }

    private Statement block() {
        String name = tokens.expect(Token.Kind.NAME).text();
        boolean scoped = tokens.skipName("scoped");
        tokens.skipName("required");
        int outerLoops = loops;
        loops = 0;
        Statement.Block body = scopedBody("endblock");
        loops = outerLoops;
        tokens.skipName(name);
        return new Statement.Scoped(body, !scoped);
    }

    /** Marks generated text for training, which rendering ignores; like a macro's, its body has its own variables. */
    private Statement generation() {
        int outerLoops = loops;
        loops = 0;
        Statement.Block body = scopedBody("endgeneration");
        loops = outerLoops;
        return new Statement.Scoped(body, false);
    }

    private Statement autoescape(int line) {
        if (!(expressions.expression() instanceof Expression.Literal literal) || Truth.of(literal.value())) {
            throw JinjaException.syntax("Automatic escaping is refused: a chat template makes plain text", line);
        }
        return new Statement.Scoped(scopedBody("endautoescape"), false);
    }
}
