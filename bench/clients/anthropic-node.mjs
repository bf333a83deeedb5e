// Anthropic's Node SDK: messages, count_tokens, models.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: process.env.OMLX_URL, apiKey: "none", maxRetries: 0, timeout: 300_000 });
const prompt = { model: "smollm2", system: "Be terse.", messages: [{ role: "user", content: "Name a colour." }] };
const asked = { ...prompt, max_tokens: 16, temperature: 0 };
const tools = [{ name: "get_time", input_schema: { type: "object", properties: {} } }];

const whole = await client.messages.create(asked);
assert.ok(whole.content[0].text);

const stream = client.messages.stream(asked);
let streamed = "";
stream.on("text", delta => (streamed += delta));
const final = await stream.finalMessage();
assert.equal(streamed, whole.content[0].text);
assert.deepEqual(final.content, whole.content);
assert.equal(final.usage.output_tokens, whole.usage.output_tokens);

const withTools = await client.messages.create({ ...asked, tools });
assert.ok(["end_turn", "max_tokens", "tool_use"].includes(withTools.stop_reason));

const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = whole.usage;
const counted = await client.messages.countTokens(prompt);
assert.equal(counted.input_tokens, input_tokens + cache_read_input_tokens + cache_creation_input_tokens);

assert.ok((await client.models.list()).data.some(model => model.id === "smollm2"));
await assert.rejects(client.messages.create({ ...asked, model: "nobody" }),
    error => error instanceof Anthropic.NotFoundError && error.type === "not_found_error");
