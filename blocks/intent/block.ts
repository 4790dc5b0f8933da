import { defineBlock } from '../../engine/flow/defineBlock'
import { cause, setVariable } from '../../engine/flow/steps'
import { intentDefaults, intentSchema } from './schema'

/** Starts here when a visitor types something like its phrases (engine/run/intents.ts has the rules). */
export const intent = defineBlock({
  kind: 'intent',
  category: 'trigger',
  title: 'Intent',
  help: 'Starts when a visitor types something like its phrases.',
  schema: intentSchema,
  defaults: intentDefaults,
  ports: () => [{ id: 'next' }],
  writes: (data) => [data.saveName, data.saveConfidence].flatMap((id) => id ?? []),
  intent: ({ name, phrases, global, resumes }) => ({
    name,
    phrases: phrases.map(({ text }) => text),
    global,
    resumes,
  }),
  problems: ({ phrases }) => (phrases.length === 0 ? [{ path: 'phrases', message: 'Add a sample phrase' }] : []),
  *run(data) {
    const why = yield* cause()
    if (why?.type !== 'intent') return 'next'
    if (data.saveName) yield* setVariable(data.saveName, data.name)
    // two digits, as displayed
    if (data.saveConfidence) yield* setVariable(data.saveConfidence, Math.round(why.confidence * 100) / 100)
    return 'next'
  },
})
