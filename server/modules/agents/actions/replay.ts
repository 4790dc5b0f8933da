import { type Json, jsonSchema } from '../../../../engine/values/json'
import type { RecordedCall } from '../../../contracts/answers'
import { type AgentTool, refused } from './agentTool'

const NOT_RECORDED = 'There is no recorded answer to this.'

/**
 * Tools for a conversation kept as a test: each call gets its recorded result, and nothing is carried out. A call that
 * was not recorded, or has other arguments, fails.
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

/**
 * The recorded result of a call: the one with equal arguments, otherwise one whose arguments differ only in free text
 * of the model.
 */
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
  const [one, other] = [comparable(before), comparable(now)]
  // texts of several words are the model's own, which vary; a number, an address or a name was given to it
  return one === other || (/\s/.test(one) && /\s/.test(other))
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Absent is the same as empty. */
const comparable = (value: Json): string =>
  value === null ? '' : (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase()
