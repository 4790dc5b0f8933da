import type { LanguageModel, ModelMessage } from 'ai'
import { cleanText } from '../../engine/values/cleanText'
import type { Json } from '../../engine/values/json'
import type { AiSettings } from '../config'
import { modelProblem } from './modelProblem'

export interface Prompt {
  /** what the editor and the product want; never what a visitor wrote */
  system: string
  messages: { role: 'user' | 'assistant'; content: string }[]
  temperature: number
}

/** What a model gave, or why it gave nothing, in a sentence for the editor. */
export type Written<Value> = { ok: true; value: Value } | { ok: false; error: string }

/** A model that can be asked. A failure is a result, never an exception. */
export interface ChatModel {
  write(prompt: Prompt): Promise<Written<string>>
  /** writes JSON of that JSON Schema; what comes back is JSON, and whether it fits is for the caller to check */
  fill(prompt: Prompt, schema: Record<string, Json>): Promise<Written<Json>>
}

/** ms for the whole answer, tries included: somebody waits for it */
const TIMEOUT = 60_000
/** tries after the first, when a server is busy or fails, after the pause that it asks for */
const RETRIES = 2

/**
 * The model of the settings, by the AI SDK, which is loaded at the first question: a start does not wait for it. The server's
 * address is the operator's own, so it may lie in a private network.
 */
export function createChatModel(settings: AiSettings, { timeout = TIMEOUT, retries = RETRIES } = {}): ChatModel {
  let loading: ReturnType<typeof load> | undefined
  const sdk = () => {
    loading ??= load(settings)
    return loading
  }

  /** Gives `ask` the signal that ends it, and makes a sentence of whatever it throws. */
  async function attempt<Value>(ask: (signal: AbortSignal) => Promise<Value>): Promise<Written<Value>> {
    const signal = AbortSignal.timeout(timeout)
    try {
      return { ok: true, value: await ask(signal) }
    } catch (error) {
      return { ok: false, error: modelProblem(error, settings, signal.aborted ? timeout : null) }
    }
  }

  return {
    write: (prompt) =>
      attempt(async (abortSignal) => {
        const { ai, plain } = await sdk()
        const { text } = await ai.generateText({ ...asked(prompt), model: plain, maxRetries: retries, abortSignal })
        const answer = cleanText(text).trim()
        if (answer === '') throw new Error('it answered nothing')
        return answer
      }),
    fill: (prompt, schema) =>
      attempt(async (abortSignal) => {
        const { ai, plain, strict } = await sdk()
        const fill = async (model: LanguageModel) => {
          const output = ai.Output.object({ schema: ai.jsonSchema<Json>(schema) })
          const call = { ...asked(prompt), model, maxRetries: retries, abortSignal, output }
          return (await ai.generateText(call)).output
        }
        try {
          return await fill(strict)
        } catch (error) {
          // servers that take no schema say so; the prompt names the fields too, so that any JSON will do
          if (!ai.APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) throw error
          return await fill(plain)
        }
      }),
  }
}

const asked = ({
  system,
  messages,
  temperature,
}: Prompt): { system: string; messages: ModelMessage[]; temperature: number } => ({
  system: cleanText(system),
  messages: messages.map(({ role, content }) => ({ role, content: cleanText(content) })),
  temperature,
})

async function load({ baseUrl, apiKey, model }: AiSettings) {
  const [ai, { createOpenAICompatible }] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])
  // what it would print is for developers of the SDK
  globalThis.AI_SDK_LOG_WARNINGS = false
  const at = { name: 'operator', baseURL: baseUrl, ...(apiKey !== null && { apiKey }) }
  // models that think aloud are not quoted
  const thinking = ai.extractReasoningMiddleware({ tagName: 'think' })
  const made = (supportsStructuredOutputs: boolean) =>
    ai.wrapLanguageModel({
      model: createOpenAICompatible({ ...at, supportsStructuredOutputs })(model),
      middleware: thinking,
    })
  return { ai, plain: made(false), strict: made(true) }
}
