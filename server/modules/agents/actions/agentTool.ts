import { isDeepStrictEqual } from 'node:util'
import type { ToolSet } from 'ai'
import type { AnswerShownPart } from '../../../../engine/flow/answerParts'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import { type Json, jsonSchema as json } from '../../../../engine/values/json'
import type { AnswerDebug } from '../../../contracts/answers'
import type { Writes } from '../../../platform/effects/callContext'

export type Step = AnswerDebug['steps'][number]

/** The result of a tool call. */
export interface ToolOutcome {
  ok: boolean
  /** for the model, as data; at most 20 KB */
  answer: Json
  /** for a person, in the debug card */
  detail: string
  /** shown to the visitor as a result */
  parts?: AnswerShownPart[]
  /** stored under a name for later in the conversation */
  saved?: { name: string; value: Json }
  /** in a test: what it changed outside, or would have */
  effect?: TestEffect
}
type Run = (input: unknown, signal: AbortSignal) => Promise<ToolOutcome>

/** A tool for a model while it answers: an action of the chatbot, or a tool of an MCP server. */
export interface AgentTool {
  /** letters, digits and underscores, at most 64 */
  name: string
  /** for the debug card */
  title: string
  description: string
  /** JSON Schema of an object; the tool validates its input itself */
  schema: Record<string, Json>
  /** Never throws. @param signal aborts the call when nobody waits for it any more */
  run: Run
  /** the same without changing anything outside, for tests; `reads-only`: it never changes anything */
  simulate: Run | 'reads-only'
}

/** The tools of one answer, and their results. */
export interface AnswerTools {
  tools: ToolSet
  /** how often the model may be called within one answer, including its final text */
  rounds: number
  steps: Step[]
  parts: AnswerShownPart[]
  saved: { name: string; value: Json }[]
  /** number of calls, including refused ones */
  readonly calls: number
}

/** PRODUCT.md, agent actions. */
export const toolLimits = { calls: 5, ms: 10_000, bytes: 20_000 } as const

/** The tools of one answer, within the limits: five calls, ten seconds each, 20 KB per result. */
export async function toolSetOf(
  tools: readonly AgentTool[],
  {
    writes,
    ms = toolLimits.ms,
    signal,
    steps = [],
  }: {
    writes: Writes
    ms?: number
    signal?: AbortSignal | undefined
    /** where each call is recorded */
    steps?: Step[]
  },
): Promise<AnswerTools & { use(tool: AgentTool, input: unknown): Promise<Json> }> {
  const { jsonSchema, tool } = await import('ai')
  let calls = 0
  const used = {
    tools: {} as ToolSet,
    rounds: toolLimits.calls + 1,
    steps,
    parts: [] as AnswerShownPart[],
    saved: [] as AnswerTools['saved'],
    get calls() {
      return calls
    },
  }

  async function use(each: AgentTool, input: unknown): Promise<Json> {
    const began = performance.now()
    const outcome: ToolOutcome =
      ++calls > toolLimits.calls
        ? refused(`At most ${toolLimits.calls} actions are carried out in an answer.`)
        : await within(ms, signal, (ending) => runOf(each, writes)(input, ending))
    const { ok, answer, detail, parts = [], saved, effect } = outcome
    const given = capped(json.safeParse(input).data ?? null)
    const told = capped(answer)
    const call = { name: each.title, input: given, answer: told, ok, parts }
    used.steps.push({
      name: each.title,
      detail,
      ms: Math.round(performance.now() - began),
      ok,
      call,
      ...(effect && { effect }),
    })
    // a fallback model may show the same part again
    const isNew = (part: AnswerShownPart) => !used.parts.some((other) => isDeepStrictEqual(other, part))
    used.parts.push(...parts.filter(isNew))
    if (saved) used.saved.push(saved)
    return told
  }

  for (const each of tools) {
    // the tool itself refuses invalid input, with a message that the model can act on
    const inputSchema = jsonSchema<unknown>(each.schema, { validate: (value) => ({ success: true, value }) })
    used.tools[each.name] = tool({
      description: each.description,
      inputSchema,
      execute: (input) => use(each, input),
    })
  }
  return Object.assign(used, { use })
}

const runOf = ({ run, simulate }: AgentTool, writes: Writes): Run =>
  writes === 'simulated' && simulate !== 'reads-only' ? simulate : run

export const refused = (error: string): ToolOutcome => ({ ok: false, answer: { ok: false, error }, detail: error })

async function within(
  ms: number,
  signal: AbortSignal | undefined,
  run: (ending: AbortSignal) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const ending = new AbortController()
  const late = `It took longer than ${ms / 1000} seconds, and was given up.`
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<ToolOutcome>((resolve) => {
    timer = setTimeout(() => resolve(refused(late)), ms)
  })
  try {
    return await Promise.race([run(signal ? AbortSignal.any([signal, ending.signal]) : ending.signal), over])
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

const CUT = 'This was longer than 20 KB; what follows is its beginning.'

/** The part of a result that a model gets. */
export function capped(answer: Json, bytes: number = toolLimits.bytes): Json {
  const text = JSON.stringify(answer)
  if (Buffer.byteLength(text) <= bytes) return answer
  let beginning = text.slice(0, bytes)
  let cut = { note: CUT, beginning }
  // quotes are escaped again, and letters may take up to three bytes
  while (Buffer.byteLength(JSON.stringify(cut)) > bytes) {
    beginning = beginning.slice(0, Math.floor(beginning.length * 0.9))
    cut = { note: CUT, beginning }
  }
  return cut
}
