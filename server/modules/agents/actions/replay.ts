import { type Json, jsonSchema } from '../../../../engine/values/json'
import type { RecordedCall } from '../../../contracts/answers'
import { type AgentTool, refused } from './agentTool'

const NOT_RECORDED = 'There is no recorded answer to this.'

/**
 * The same tools for a conversation that was kept as a test: each call gets what it got then, and nothing is carried out. What was not called
 * then, or with other arguments, fails.
 */
export const replayed = (tools: readonly AgentTool[], recorded: readonly RecordedCall[]): AgentTool[] =>
  tools.map((tool) => ({
    ...tool,
    simulate: 'reads-only',
    run: async (input) => {
      const found = recordedFor(recorded, tool.title, jsonSchema.safeParse(input).data ?? null)
      if (!found) return refused(NOT_RECORDED)
      const { ok, answer, parts } = found
      return { ok, answer, parts, detail: 'As it was recorded; nothing was carried out.' }
    },
  }))

/** What a call got when it was recorded: the one of the same arguments, else one whose arguments differ in nothing but the model's own words. */
export const recordedFor = (recorded: readonly RecordedCall[], name: string, input: Json): RecordedCall | undefined => {
  const same = recorded.filter((call) => call.name === name && matches(call.input, input))
  return same.find((call) => JSON.stringify(call.input) === JSON.stringify(input)) ?? same[0]
}

function matches(before: Json, now: Json): boolean {
  if (Array.isArray(before) && Array.isArray(now))
    return before.length === now.length && before.every((each, at) => matches(each, now[at] ?? null))
  if (isObject(before) && isObject(now))
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].every((key) =>
      matches(before[key] ?? null, now[key] ?? null),
    )
  const [one, other] = [wordsOf(before), wordsOf(now)]
  // several words are the model's own, which it never writes twice alike; a number, an address, a name is what it was told
  return one === other || (/\s/.test(one) && /\s/.test(other))
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was left out is the same as nothing. */
const wordsOf = (value: Json): string =>
  value === null ? '' : (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase()
