import type { AnswerDebug } from '../../../contracts/answers'
import type { OpenModel, Prompt, StreamPart } from '../../models/models'
import type { AnswerTools } from '../actions/agentTool'
import type { AnswerWriter } from './answerWriter'

export type Step = AnswerDebug['steps'][number]

/** ms for all models together: somebody waits */
export const WRITING_TIME = 90_000

interface Written {
  model: OpenModel
  writer: AnswerWriter
  tokens: AnswerDebug['tokens']
  /** why earlier models gave no answer */
  failures: string[]
}

export type Outcome = Written | { model: null; failures: string[] }

/**
 * Streams the answer of the first model that gives one. If a model fails in the middle, the next one's text is returned
 * only at the end, so that readers don't see two answers merge.
 * @returns the final state; `model` is null if all of them failed or `signal` aborted it
 */
export async function* writeAnswer(
  models: readonly OpenModel[],
  prompt: Prompt,
  createWriter: () => AnswerWriter,
  {
    signal,
    steps,
    tools,
    time = WRITING_TIME,
  }: { signal: AbortSignal | undefined; steps: Step[]; tools: AnswerTools | null; time?: number },
): AsyncGenerator<{ type: 'text'; delta: string }, Outcome> {
  const failures: string[] = []
  const deadline = AbortSignal.timeout(time)
  let gaveOut = false
  for (const model of models) {
    const began = performance.now()
    const writer = createWriter()
    const enough = new AbortController()
    const ends = AbortSignal.any([deadline, enough.signal, ...(signal ? [signal] : [])])
    const mayStream = !gaveOut
    let tokens: AnswerDebug['tokens'] = null
    let failure: string | null = null
    try {
      for await (const part of untilAborted(model.stream(prompt, { signal: ends, ...toolsOf(model, tools) }), ends)) {
        if (part.type === 'failed') failure = part.error
        if (part.type === 'end') tokens = part.tokens
        if (part.type !== 'text') continue
        const delta = writer.write(part.delta)
        if (delta !== '' && mayStream) {
          gaveOut = true
          yield { type: 'text', delta }
        }
        if (writer.saysNotFound() || writer.isFull()) break
      }
    } finally {
      // the listener may have left; and a model past the length cap must not cost more
      enough.abort()
    }
    if (signal?.aborted) return { model: null, failures }
    const rest = writer.end()
    if (failure === null && deadline.aborted) failure = `It was not ready within ${time / 1000} seconds.`
    // what an action shows may be the whole answer
    const says = writer.saysNotFound() || /[\p{L}\p{N}]/u.test(writer.text()) || (tools && tools.parts.length > 0)
    if (failure === null && !says) {
      failure = 'It wrote nothing that can be read.'
    }
    const ms = Math.round(performance.now() - began)
    const { name } = model.model
    steps.push({ name: 'model', detail: `${name}: ${failure ?? inTokens(tokens)}`, ms, ok: failure === null })
    if (failure !== null) {
      failures.push(`${name}: ${failure}`)
      continue
    }
    if (rest !== '' && mayStream) yield { type: 'text', delta: rest }
    return { model, writer, tokens, failures }
  }
  return { model: null, failures }
}

const toolsOf = ({ model }: OpenModel, tools: AnswerTools | null) =>
  tools && model.supports_actions ? { tools: tools.tools, steps: tools.rounds } : {}

const inTokens = (tokens: AnswerDebug['tokens']): string =>
  tokens ? `${tokens.input} tokens read, ${tokens.output} written` : 'written'

/** Passes parts on until the signal aborts; does not wait for a stream that ignores it. */
async function* untilAborted(parts: AsyncIterable<StreamPart>, signal: AbortSignal): AsyncGenerator<StreamPart> {
  const iterator = parts[Symbol.asyncIterator]()
  let stop = () => {}
  const aborted = new Promise<'aborted'>((resolve) => {
    stop = () => resolve('aborted')
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted])
      if (next === 'aborted' || next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // not awaited: a stream that hangs would delay the answer
    void iterator.return?.()?.catch(() => {})
  }
}
