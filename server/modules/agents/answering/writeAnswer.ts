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
  /** why the ones before it gave nothing */
  failures: string[]
}

export type Outcome = Written | { model: null; failures: string[] }

/**
 * Has the answer written by the first of these models that gives one. What they write is given out as it comes, until one of them fails in
 * the middle: then the rest is for the end, so that nobody sees two answers grow into one another.
 * @returns what stands at the end; `model` is null when all of them failed or `signal` ended it
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
      // who listens may have left, and a model that has said enough is not paid for more
      enough.abort()
    }
    if (signal?.aborted) return { model: null, failures }
    const rest = writer.end()
    if (failure === null && deadline.aborted) failure = `It was not ready within ${time / 1000} seconds.`
    // what an action shows may well stand alone
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

/** What comes until the signal; one that does not listen to it is left alone. */
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
    // not waited for: a stream that hangs would hold up the answer
    void iterator.return?.()?.catch(() => {})
  }
}
