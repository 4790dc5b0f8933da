import { defineBlock } from '../../engine/flow/defineBlock'
import { cause, setVariable } from '../../engine/flow/steps'
import type { Json } from '../../engine/values/json'
import { readJsonPath } from '../../engine/values/jsonPath'
import { type WebhookData, webhookDefaults, webhookSchema } from './schema'

/** Starts, or goes on with, a conversation when another program calls the block's address. */
export const webhook = defineBlock({
  kind: 'webhook',
  category: 'trigger',
  title: 'Webhook',
  help: 'Starts when another program calls its address.',
  schema: webhookSchema,
  defaults: webhookDefaults,
  ports: () => [{ id: 'next' }],
  writes: (data) => savedRows(data).map(({ variableId }) => variableId),
  // only a call starts it, which names it (`signals`)
  startsOn: () => false,
  // no other trigger takes its calls
  rank: 3,
  signals: (data) => ({
    resumes: data.resumes,
    answers: data.answer === 'flow',
    conversationPath: data.conversationPath,
    keyPath: data.keyPath,
    read: (body) => ({
      values: Object.fromEntries(savedRows(data).map((row) => [row.variableId, readJsonPath(row.path, body)])),
      missing: data.mapping.flatMap(({ path, required }) =>
        required && path !== '' && readJsonPath(path, body) === null ? [path] : [],
      ),
    }),
  }),
  *run(data) {
    const why = yield* cause()
    const values: Readonly<Record<string, Json>> = why?.type === 'start' ? (why.signal?.values ?? {}) : {}
    for (const { variableId } of savedRows(data))
      if (Object.hasOwn(values, variableId)) yield* setVariable(variableId, values[variableId] ?? null)
    return 'next'
  },
})

/** The rows that are complete. */
const savedRows = ({ mapping }: WebhookData) =>
  mapping.flatMap(({ path, variableId }) => (path !== '' && variableId !== null ? [{ path, variableId }] : []))
