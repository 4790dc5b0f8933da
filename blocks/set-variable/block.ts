import { defineBlock } from '../../engine/flow/defineBlock'
import { now, random, read, setVariable } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { valueAsNumber } from '../../engine/values/number'
import { printValue, renderText, resolveValue, type Variables, variableValue } from '../../engine/values/render'
import { setVariableFromTypebot } from './import'
import { type SetVariableData, setVariableDefaults, setVariableSchema } from './schema'

/** Changes a variable; without one chosen it does nothing. */
export const setVariableBlock = defineBlock({
  kind: 'set-variable',
  category: 'logic',
  title: 'Set variable',
  help: 'Sets, extends, counts up or clears a variable.',
  schema: setVariableSchema,
  defaults: setVariableDefaults,
  ports: () => [{ id: 'next' }],
  reads: ({ variableId, mode, value }) => [
    ...(variableId && (mode === 'append' || mode === 'increment') ? [variableId] : []),
    ...(usesValue(mode) ? dynamicValueVariables(value) : []),
  ],
  writes: ({ variableId }) => (variableId ? [variableId] : []),
  importers: [setVariableFromTypebot],
  *run(data) {
    if (!data.variableId) return 'next'
    if (data.mode === 'now') yield* setVariable(data.variableId, yield* now())
    else if (data.mode === 'random') yield* setVariable(data.variableId, yield* randomId())
    else yield* setVariable(data.variableId, changed(data, data.variableId, yield* read()))
    return 'next'
  },
})

const usesValue = (mode: SetVariableData['mode']): boolean =>
  mode === 'set' || mode === 'append' || mode === 'increment'

function changed({ mode, value }: SetVariableData, variableId: string, variables: Variables): Json {
  const present = variableValue(variables, variableId)
  switch (mode) {
    case 'set':
      return resolveValue(value, variables)
    case 'append':
      // a list grows by one item, everything else is text that grows
      return Array.isArray(present)
        ? [...present, resolveValue(value, variables)]
        : printValue(present) + renderText(value, variables)
    case 'increment':
      return increment(present, renderText(value, variables))
    default:
      return null
  }
}

/** An empty step counts up by 1; a step that is no number leaves the value as it is; a value that is none counts from 0. */
function increment(present: Json, step: string): Json {
  const by = step.trim() === '' ? 1 : valueAsNumber(step)
  const sum = (valueAsNumber(present) ?? 0) + (by ?? 0)
  // 0.1 + 0.2 is to be 0.3: fifteen digits are more than the range of SPEC.md 5 needs
  return by === null ? present : Number(sum.toPrecision(15))
}

/** 16 letters and digits, four from each draw. */
function* randomId() {
  let id = ''
  for (let draw = 0; draw < 4; draw++) {
    id += Math.floor((yield* random()) * 36 ** 4)
      .toString(36)
      .padStart(4, '0')
  }
  return id
}
