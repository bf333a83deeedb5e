// Ollama's Node library.
import assert from "node:assert/strict";
import { Ollama } from "ollama";

const client = new Ollama({ host: process.env.OMLX_URL });
const asked = {
    model: "smollm2",
    messages: [{ role: "user", content: "Name a colour." }],
    options: { num_predict: 16, temperature: 0 },
};
const tools = [{ type: "function", function: { name: "get_time", parameters: { type: "object", properties: {} } } }];

const whole = await client.chat(asked);
assert.ok(whole.done && whole.message.content);

let streamed = "";
let last;
for await (last of await client.chat({ ...asked, stream: true })) streamed += last.message.content;
assert.equal(streamed, whole.message.content);
assert.ok(last.done);
assert.equal(last.eval_count, whole.eval_count);

assert.ok((await client.chat({ ...asked, tools })).done);
assert.ok((await client.list()).models.some(model => model.model.startsWith("smollm2")));
await assert.rejects(client.chat({ ...asked, model: "nobody" }), { name: "ResponseError", status_code: 404 });
