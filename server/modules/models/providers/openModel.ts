import type { LanguageModel, ModelMessage } from 'ai'
import { cleanText } from '../../../../engine/values/cleanText'
import type { Json } from '../../../../engine/values/json'
import type { Model } from '../../../contracts/ai'
import type { OpenModel, Prompt, Written } from '../models'
import type { ProviderAccess } from './access'
import { modelProblem } from './modelProblem'
import { withoutLongPauses } from './pauses'
import { loadSdk } from './sdk'
import { type Patience, streamAnswer } from './streamAnswer'

export interface AskOptions {
  /** ms for a complete answer that is not streamed, including retries: somebody waits for it */
  timeout?: number
  /** retries if a server is busy or fails, after the pause that it demands, unless that is long */
  retries?: number
  patience?: Patience
}

/** ms without a new part, and for a whole stream including its tools */
const PATIENCE: Patience = { idle: 45_000, whole: 180_000 }
const TIMEOUT = 60_000
const RETRIES = 2
/** Includes reasoning. OpenAI-compatible servers have limits of their own. */
const MOST_TOKENS = 16_000

/**
 * A provider's model, through the AI SDK. Failures are results, never exceptions. @param name the provider's name for
 * it
 */
export function createOpenModel(
  access: ProviderAccess,
  name: string,
  model: Model,
  { timeout = TIMEOUT, retries = RETRIES, patience = PATIENCE }: AskOptions = {},
): OpenModel {
  let loading: ReturnType<typeof load> | undefined
  const sdk = () => {
    loading ??= load(access, name)
    return loading
  }
  const problemOf = (error: unknown, waited: number | null) => modelProblem(error, access, name, waited)

  /** Calls `ask` with a signal that ends it, and converts anything thrown to a sentence. */
  async function attempt<Value>(ask: (signal: AbortSignal) => Promise<Value>): Promise<Written<Value>> {
    const signal = AbortSignal.timeout(timeout)
    try {
      return { ok: true, value: await ask(signal) }
    } catch (error) {
      return { ok: false, error: problemOf(error, signal.aborted ? timeout : null) }
    }
  }

  return {
    model,
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
        const fill = async (filling: LanguageModel) => {
          const output = ai.Output.object({ schema: ai.jsonSchema<Json>(schema) })
          const call = { ...asked(prompt), model: filling, maxRetries: retries, abortSignal, output }
          return (await ai.generateText(call)).output
        }
        try {
          return await fill(strict)
        } catch (error) {
          // servers without schema support reject it; the prompt names the fields too, so plain JSON will do
          if (!ai.APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) throw error
          return await fill(plain)
        }
      }),
    async *stream(prompt, { tools, steps = 5, signal } = {}) {
      yield* streamAnswer({
        load: sdk,
        call: { ...asked(prompt), ...(tools && { tools }), maxRetries: retries },
        steps,
        signal: signal ?? null,
        patience,
        problemOf,
      })
    },
  }

  function asked({ system, messages, temperature }: Prompt) {
    return {
      system: cleanText(system),
      messages: messages.map(({ role, content }): ModelMessage => ({ role, content: cleanText(content) })),
      temperature,
      ...(access.provider !== 'openai-compatible' && { maxOutputTokens: MOST_TOKENS }),
      // visitors' texts are not stored there
      ...(access.provider === 'openai' && { providerOptions: { openai: { store: false } } }),
    }
  }
}

async function load(access: ProviderAccess, name: string) {
  const { ai, languageModel } = await loadSdk(access)
  // reasoning text is not part of the answer
  const thinking = ai.extractReasoningMiddleware({ tagName: 'think' })
  const made = (strict: boolean) =>
    ai.wrapLanguageModel({
      model: languageModel(name, strict) as Wrappable,
      middleware: [withoutLongPauses(ai), thinking],
    })
  type Wrappable = Parameters<typeof ai.wrapLanguageModel>[0]['model']
  return { ai, plain: made(false), strict: made(true) }
}
