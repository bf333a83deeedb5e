// OpenAI's Node SDK: chat, responses, models.
import assert from "node:assert/strict";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.env.OMLX_URL + "/v1", apiKey: "none", maxRetries: 0, timeout: 300_000 });
const messages = [{ role: "user", content: "Name a colour." }];
const asked = { model: "smollm2", messages, max_tokens: 16, temperature: 0 };
const tools = [{ type: "function", function: { name: "get_time", parameters: { type: "object", properties: {} } } }];

const whole = await client.chat.completions.create(asked);
assert.ok(whole.choices[0].message.content);

const stream = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } });
let streamed = "";
stream.on("content", delta => (streamed += delta));
const final = await stream.finalChatCompletion();
assert.equal(streamed, whole.choices[0].message.content);
assert.equal(final.choices[0].message.content, streamed);
assert.equal(final.usage.completion_tokens, whole.usage.completion_tokens);

const withTools = await client.chat.completions.create({ ...asked, tools });
assert.ok(["stop", "length", "tool_calls"].includes(withTools.choices[0].finish_reason));

const said = { model: "smollm2", input: "Name a colour.", max_output_tokens: 16, temperature: 0 };
const response = await client.responses.create(said);
const events = client.responses.stream(said);
let spoken = "";
events.on("response.output_text.delta", event => (spoken += event.delta));
await events.finalResponse();
assert.ok(spoken);
assert.equal(spoken, response.output_text);

assert.ok((await client.models.list()).data.some(model => model.id === "smollm2"));
await assert.rejects(client.chat.completions.create({ ...asked, model: "nobody" }),
    error => error instanceof OpenAI.NotFoundError && error.code === "model_not_found");
