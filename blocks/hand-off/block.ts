import { defineBlock } from '../../engine/flow/defineBlock'
import { call, render, say } from '../../engine/flow/steps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { richTextVariables } from '../../engine/values/richText'
import { handOffDefaults, handOffSchema } from './schema'

/** Asks for a person by the service `hand-off`; any answer but a plain yes leaves by `nobody-available`. */
export const handOff = defineBlock({
  kind: 'hand-off',
  category: 'other',
  title: 'Hand-off',
  help: 'Asks a person on your team to take over.',
  schema: handOffSchema,
  defaults: handOffDefaults,
  richTexts: ['message'],
  ports: () => [
    { id: 'handed-over', label: 'Handed over' },
    { id: 'nobody-available', label: 'Nobody available' },
  ],
  reads: ({ team, note, message }) => [...[team, note].flatMap(dynamicValueVariables), ...richTextVariables(message)],
  *run(data) {
    const result = yield* call('hand-off', { team: yield* render(data.team), note: yield* render(data.note) })
    const isTaken = typeof result === 'object' && result !== null && 'ok' in result && result.ok === true
    if (!isTaken) return 'nobody-available'
    yield* say(data.message)
    return 'handed-over'
  },
})
