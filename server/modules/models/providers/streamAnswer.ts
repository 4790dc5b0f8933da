import type { LanguageModel, ModelMessage, ToolSet } from 'ai'
import { cleanText } from '../../../../engine/values/cleanText'
import type { Json } from '../../../../engine/values/json'
import type { StreamPart } from '../models'

/** The timeouts of a stream, in ms. */
export interface Patience {
  /** without a new part */
  idle: number
  whole: number
}

interface Streaming {
  load: () => Promise<{ ai: typeof import('ai'); plain: LanguageModel }>
  call: { system: string; messages: ModelMessage[]; temperature: number; tools?: ToolSet; maxRetries: number }
  steps: number
  /** the caller's */
  signal: AbortSignal | null
  patience: Patience
  /** @param waited ms after which it timed out */
  problemOf: (error: unknown, waited: number | null) => string
}

/** Streams an answer. A failure is the last part; a stream that breaks off is a failure, too. */
export async function* streamAnswer({
  load,
  call,
  steps,
  signal,
  patience,
  problemOf,
}: Streaming): AsyncGenerator<StreamPart> {
  const ending = new AbortController()
  let waited: number | null = null
  const endAfter = (ms: number) =>
    setTimeout(() => {
      waited = ms
      ending.abort()
    }, ms)
  const whole = endAfter(patience.whole)
  let idle = endAfter(patience.idle)
  const began = new Map<string, number>()
  let text = ''
  // a lost connection throws an error of the HTTP client; the server's own errors are objects
  const broke = (error: unknown) => (text !== '' && waited === null && error instanceof Error ? BROKEN_OFF : null)
  // text after a tool call starts a new paragraph
  let gap = ''
  let usedTools = false
  try {
    const { ai, plain } = await load()
    const { fullStream } = ai.streamText({
      ...call,
      model: plain,
      stopWhen: ai.stepCountIs(steps),
      abortSignal: signal ? AbortSignal.any([signal, ending.signal]) : ending.signal,
      // otherwise the SDK prints it
      onError: () => undefined,
    })
    for await (const part of fullStream) {
      clearTimeout(idle)
      idle = endAfter(patience.idle)
      switch (part.type) {
        case 'text-delta': {
          if (part.text === '') break
          const delta = gap + cleanText(part.text)
          gap = ''
          text += delta
          yield { type: 'text', delta }
          break
        }
        case 'tool-call':
          began.set(part.toolCallId, performance.now())
          break
        case 'tool-result':
        case 'tool-error': {
          usedTools = true
          if (text !== '') gap = '\n\n'
          const ok = part.type === 'tool-result'
          const ms = Math.round(performance.now() - (began.get(part.toolCallId) ?? performance.now()))
          const output = ok ? asJson(part.output) : messageOf(part.error)
          yield { type: 'tool', name: part.toolName, input: asJson(part.input), output, ms, ok }
          break
        }
        case 'error':
          return yield { type: 'failed', error: broke(part.error) ?? problemOf(part.error, waited) }
        case 'abort':
          return yield { type: 'failed', error: waited === null ? CANCELLED : problemOf(part, waited) }
        case 'finish': {
          if (part.finishReason === 'content-filter') return yield { type: 'failed', error: FILTERED }
          // no reason: the connection ended before the answer
          if (part.finishReason === 'other' && part.rawFinishReason === undefined)
            return yield { type: 'failed', error: BROKEN_OFF }
          if (text.trim() === '' && !usedTools)
            return yield { type: 'failed', error: problemOf(new Error('it answered nothing'), null) }
          const { inputTokens, outputTokens } = part.totalUsage
          const tokens =
            inputTokens === undefined || outputTokens === undefined
              ? null
              : { input: inputTokens, output: outputTokens }
          return yield { type: 'end', text: text.trim(), tokens }
        }
      }
    }
    yield { type: 'failed', error: BROKEN_OFF }
  } catch (error) {
    const cancelled = signal?.aborted && waited === null ? CANCELLED : null
    yield { type: 'failed', error: cancelled ?? broke(error) ?? problemOf(error, waited) }
  } finally {
    clearTimeout(idle)
    clearTimeout(whole)
    // the consumer stopped reading
    ending.abort()
  }
}

const BROKEN_OFF = 'The answer broke off before its end. Try again.'
const FILTERED = 'The provider held the answer back: its filter took offence at the question or the sources.'
const CANCELLED = 'The answer was cancelled.'

/** A tool's input and output as JSON. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)
