// Vercel's AI SDK over its providers for OpenAI (chat and responses), Anthropic, and whoever is compatible with OpenAI.
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, streamText, tool } from "ai";
import { z } from "zod";

const settings = { baseURL: process.env.OMLX_URL + "/v1", apiKey: "none" };
const openai = createOpenAI(settings);
const providers = {
    chat: openai.chat,
    responses: openai.responses,
    anthropic: createAnthropic(settings),
    compatible: createOpenAICompatible({ ...settings, name: "omlx", includeUsage: true }),
};
const tools = { get_time: tool({ inputSchema: z.object({}), execute: () => "noon" }) };

for (const [name, provider] of Object.entries(providers)) {
    const model = provider("smollm2");
    const asked = { model, prompt: "Name a colour.", maxOutputTokens: 16, temperature: 0, maxRetries: 0 };
    const whole = await generateText(asked);
    assert.ok(whole.text, name);

    const stream = streamText({ ...asked, onError: ({ error }) => { throw error; } });
    let streamed = "";
    for await (const part of stream.textStream) streamed += part;
    assert.equal(streamed, whole.text, name);
    assert.equal((await stream.usage).outputTokens, whole.usage.outputTokens, name);

    assert.ok((await generateText({ ...asked, tools })).finishReason, name);
    await assert.rejects(generateText({ ...asked, model: provider("nobody") }),
        error => APICallError.isInstance(error) && error.statusCode === 404, name);
}
