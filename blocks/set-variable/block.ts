import { describeProblem } from '../../engine/expression/problem'
import { evaluateNow } from '../../engine/expression/steps'
import { defineBlock } from '../../engine/flow/defineBlock'
import { note, now, random, read, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { valueAsNumber } from '../../engine/values/number'
import { printValue, renderText, resolveValue, type Variables, variableValue } from '../../engine/values/render'
import { setVariableFromDify } from './fromDify'
import { setVariableFromFlowise } from './fromFlowise'
import { setVariableFromTypebot } from './import'
import { needsValue, takesItem } from './modes'
import { type SetVariableData, setVariableDefaults, setVariableSchema } from './schema'

/** Changes a variable; does nothing without one. */
export const setVariableBlock = defineBlock({
  kind: 'set-variable',
  category: 'logic',
  title: 'Set variable',
  help: 'Sets or changes a variable.',
  schema: setVariableSchema,
  defaults: setVariableDefaults,
  migrations: [{ name: 'AddTakeTo', up: (data) => ({ ...data, takeTo: null }) }],
  ports: () => [{ id: 'next' }],
  reads: ({ variableId, mode, value }) => [
    ...(variableId && (mode === 'append' || mode === 'increment' || takesItem(mode)) ? [variableId] : []),
    ...(needsValue(mode) ? dynamicValueVariables(value) : []),
  ],
  writes: ({ variableId, mode, takeTo }) => [
    ...(variableId ? [variableId] : []),
    ...(variableId && takeTo && takesItem(mode) ? [takeTo] : []),
  ],
  // incrementing and appending work without an initial value
  needs: ({ variableId, mode, value }) => [
    ...(variableId && takesItem(mode) ? [variableId] : []),
    ...(needsValue(mode) ? dynamicValueVariables(value).filter((id) => id !== variableId) : []),
  ],
  assures: ({ variableId, mode, takeTo }) =>
    takesItem(mode) ? (variableId && takeTo ? [takeTo] : []) : variableId ? [variableId] : [],
  sets: knownAfter,
  problems: ({ variableId }) => (variableId === null ? [{ path: 'variableId', message: 'Choose a variable' }] : []),
  importers: [setVariableFromTypebot, setVariableFromDify, setVariableFromFlowise],
  *run(data) {
    const { variableId, mode, value } = data
    if (!variableId) return 'next'
    switch (mode) {
      case 'now':
        yield* setVariable(variableId, yield* now())
        break
      case 'random':
        yield* setVariable(variableId, yield* randomId())
        break
      case 'expression': {
        const result = yield* evaluateNow(value)
        if (result.ok) yield* setVariable(variableId, result.value)
        else yield* note(`The expression could not be calculated: ${describeProblem(result.problem)}.`)
        break
      }
      case 'take-first':
      case 'take-last':
        yield* take(variableId, mode, data.takeTo)
        break
      default:
        yield* setVariable(variableId, changed(data, variableId, yield* read()))
    }
    return 'next'
  },
})

/**
 * Moves an item from a list to another variable; an empty list gives nothing, and anything but a list stays as it is.
 */
function* take(variableId: string, mode: 'take-first' | 'take-last', takeTo: string | null) {
  const list = variableValue(yield* read(), variableId)
  if (!Array.isArray(list)) {
    if (takeTo) yield* setVariable(takeTo, null)
    return
  }
  const item = list.at(mode === 'take-first' ? 0 : -1) ?? null
  yield* setVariable(variableId, mode === 'take-first' ? list.slice(1) : list.slice(0, -1))
  if (takeTo) yield* setVariable(takeTo, item)
}

function changed({ mode, value }: SetVariableData, variableId: string, variables: Variables): Json {
  const present = variableValue(variables, variableId)
  switch (mode) {
    case 'set':
      return resolveValue(value, variables)
    case 'append':
      // a list gets one more item, anything else is text that gets longer
      return Array.isArray(present)
        ? [...present, resolveValue(value, variables)]
        : printValue(present) + renderText(value, variables)
    case 'increment':
      return increment(present, renderText(value, variables))
    default:
      return null
  }
}

/** Values that are certain without effects, if all inputs are known. */
function knownAfter(data: SetVariableData, known: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> {
  const { variableId, mode, value } = data
  if (!variableId || !PLAIN.has(mode)) return NOTHING
  const parts = [...dynamicValueVariables(value), ...(mode === 'set' || mode === 'clear' ? [] : [variableId])]
  if (mode !== 'clear' && !parts.every((id) => known.has(id))) return NOTHING
  return new Map([[variableId, changed(data, variableId, Object.fromEntries(known))]])
}
const PLAIN: ReadonlySet<SetVariableData['mode']> = new Set(['set', 'append', 'increment', 'clear'])
const NOTHING: ReadonlyMap<string, Json> = new Map()

/**
 * An empty step increments by 1; a step that is not a number changes nothing; a value that is not a number counts as 0.
 */
function increment(present: Json, step: string): Json {
  const by = step.trim() === '' ? 1 : valueAsNumber(step)
  const sum = (valueAsNumber(present) ?? 0) + (by ?? 0)
  // so that 0.1 + 0.2 is 0.3: fifteen digits are more than the range of SPEC.md 5 needs
  return by === null ? present : Number(sum.toPrecision(15))
}

/** 16 letters and digits, four per random number. */
function* randomId() {
  let id = ''
  for (let draw = 0; draw < 4; draw++) {
    id += Math.floor((yield* random()) * 36 ** 4)
      .toString(36)
      .padStart(4, '0')
  }
  return id
}
