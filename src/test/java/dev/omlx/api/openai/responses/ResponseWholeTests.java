package dev.omlx.api.openai.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import tools.jackson.databind.JsonNode;

class ResponseWholeTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void answersWithEveryFieldOfTheContract() {
        JsonNode response = ResponseTestBody.whole(server, ResponseTestBody.with(""));

        String id = response.get("id").stringValue();
        String item = response.at("/output/0/id").stringValue();
        long created = response.get("created_at").longValue();
        assertThat(id)
                .matches("resp_[0-9a-f]{32}")
                .isEqualTo(server.engine().lastRequest().id());
        assertThat(item).matches("msg_[0-9a-f]{32}");
        assertThat(response.get("completed_at").longValue()).isBetween(created, created + 20);
        assertThat(response.toString())
                .isEqualTo(ResponseTestBody.json("""
                        {'id':'%s','object':'response','created_at':%d,'completed_at':%d,'status':'completed',\
                        'error':null,'incomplete_details':null,'model':'test/model','output':[{'type':'message',\
                        'id':'%s','status':'completed','role':'assistant','content':[{'type':'output_text',\
                        'text':'Hello world','annotations':[],'logprobs':[]}]}],'usage':{'input_tokens':7,\
                        'input_tokens_details':{'cached_tokens':4,'cache_write_tokens':0},'output_tokens':2,\
                        'output_tokens_details':{'reasoning_tokens':0},'total_tokens':9},'background':false,\
                        'instructions':null,'max_output_tokens':null,'max_tool_calls':null,'metadata':{},\
                        'parallel_tool_calls':true,'previous_response_id':null,'prompt_cache_key':null,\
                        'reasoning':{'effort':null,'summary':null},'safety_identifier':null,'service_tier':'default',\
                        'store':true,'temperature':null,'text':{'format':{'type':'text'}},'tool_choice':'auto',\
                        'tools':[],'top_logprobs':0,'top_p':null,'truncation':'disabled','user':null}""")
                        .formatted(id, created, response.get("completed_at").longValue(), item));
    }

    @Test
    void repeatsWhatWasAsked() {
        String fields = """
                'instructions': 'Be brief.', 'max_output_tokens': 9, 'max_tool_calls': 2, 'metadata': {'a': 'b'},
                'parallel_tool_calls': false, 'prompt_cache_key': 'k', 'safety_identifier': 's', 'store': false,
                'reasoning': {'effort': 'low', 'summary': 'auto'}, 'service_tier': 'flex', 'temperature': 0.5,
                'text': {'format': {'type': 'text'}, 'verbosity': 'low'}, 'tool_choice': 'none', 'top_p': 0.25,
                'tools': [{'type': 'web_search', 'x': 1}], 'truncation': 'auto', 'user': 'u',
                'client_metadata': {'any': 1}, 'context_management': []""";

        JsonNode response = ResponseTestBody.whole(server, ResponseTestBody.with(fields));

        JsonNode asked = ResponseTestBody.tree(ResponseTestBody.json("{" + fields + "}"));
        for (String name : asked.propertyNames()) {
            if (!List.of("service_tier", "client_metadata", "context_management")
                    .contains(name)) {
                assertThat(response.get(name)).as(name).isEqualTo(asked.get(name));
            }
        }
    }

    @Test
    void saysWhereItWasCut() {
        JsonNode response = ResponseTestBody.whole(server, ResponseTestBody.with("'max_output_tokens': 1"));

        assertThat(response.get("status").stringValue()).isEqualTo("incomplete");
        assertThat(response.at("/incomplete_details/reason").stringValue()).isEqualTo("max_output_tokens");
        assertThat(response.get("completed_at").isNull()).isTrue();
        assertThat(response.at("/output/0/status").stringValue()).isEqualTo("incomplete");
        assertThat(response.at("/output/0/content/0/text").stringValue()).isEqualTo("Hello");
    }

    @Test
    void makesItemsOfThoughtsTextsAndCalls() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new ReasoningDelta(0, "Let me "))
                        .emit(new ReasoningDelta(0, "see."))
                        .say("I look.")
                        .emit(new ToolCall(0, "call_1", "f", "{\"a\":1}"))
                        .emit(new ToolCall(0, "call_2", "g", "{}"))
                        .emit(new ChoiceFinished(0, FinishReason.TOOL_CALLS, null))
                        .complete(9));

        JsonNode output =
                ResponseTestBody.whole(server, ResponseTestBody.with("")).get("output");

        assertThat(output.valueStream().map(item -> item.get("type").stringValue()))
                .containsExactly("reasoning", "message", "function_call", "function_call");
        assertThat(output.valueStream().map(item -> item.get("status").stringValue()))
                .containsOnly("completed");
        assertThat(output.valueStream().map(item -> item.get("id").stringValue()))
                .doesNotHaveDuplicates();
        assertThat(output.get(0).get("content").toString())
                .isEqualTo("[{\"type\":\"reasoning_text\",\"text\":\"Let me see.\"}]");
        assertThat(output.get(0).get("summary")).isEmpty();
        assertThat(output.get(2).toString())
                .contains("\"call_id\":\"call_1\",\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"");
        assertThat(output.get(3).get("call_id").stringValue()).isEqualTo("call_2");
    }

    @Test
    void tellsThoughtsAsTheSummaryThatWasAskedFor() {
        server.engine()
                .play(Script.empty().start().emit(new ReasoningDelta(0, "Hm.")).stop(1));

        JsonNode item = ResponseTestBody.whole(server, ResponseTestBody.with("'reasoning': {'summary': 'concise'}"))
                .at("/output/0");

        assertThat(item.get("summary").toString()).isEqualTo("[{\"type\":\"summary_text\",\"text\":\"Hm.\"}]");
        assertThat(item.get("content")).isEmpty();
    }

    @Test
    void hasNoMessageWhereNothingWasSaid() {
        server.engine()
                .play(Script.empty()
                        .start()
                        .emit(new Delta(0, "", List.of()))
                        .emit(new ReasoningDelta(0, "Hm"))
                        .emit(new ChoiceFinished(0, FinishReason.LENGTH, null))
                        .complete(1));

        JsonNode response = ResponseTestBody.whole(server, ResponseTestBody.with(""));

        assertThat(response.get("output")).hasSize(1);
        assertThat(response.at("/output/0/status").stringValue()).isEqualTo("incomplete");
    }

    @Test
    void reportsLogprobsWhereAsked() {
        JsonNode logprobs = ResponseTestBody.whole(
                        server, ResponseTestBody.with("'include': ['message.output_text.logprobs'], 'top_logprobs': 1"))
                .at("/output/0/content/0/logprobs");

        assertThat(logprobs.toString())
                .startsWith("[{\"token\":\"Hello\",\"logprob\":-0.5,\"bytes\":[72,101,108,108,111],\"top_logprobs\":[{")
                .contains("{\"token\":\" world\"");
    }

    @Test
    void namesTheInputWhereItIsTooLong() {
        server.engine().play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));

        EntityExchangeResult<String> refused =
                server.post(ResponseTestBody.PATH, ResponseTestBody.with("'stream': true"));

        assertThat(refused.getStatus().value()).isEqualTo(400);
        assertThat(refused.getResponseBody())
                .contains("maximum context length is 8192 tokens")
                .contains("\"param\":\"input\",\"code\":\"context_length_exceeded\"");
    }

    @Test
    void namesTheInputWhereTheTemplateRefusesIt() {
        server.engine().play(Script.empty().fail(new EngineException.InvalidRequest("messages", "must alternate")));

        assertThat(server.post(ResponseTestBody.PATH, ResponseTestBody.with("")).getResponseBody())
                .contains("must alternate")
                .contains("\"param\":\"input\"");
    }

    @Test
    void countsTheTokensOfAnInput() {
        EntityExchangeResult<String> count =
                server.post("/v1/responses/input_tokens", ResponseTestBody.with("'instructions': 'Be brief.'"));

        assertThat(count.getResponseBody()).isEqualTo("{\"object\":\"response.input_tokens\",\"input_tokens\":7}");
        assertThat(server.engine().requests()).isEmpty();
    }
}
