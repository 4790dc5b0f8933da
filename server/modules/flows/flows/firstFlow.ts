import { z } from 'zod'
import type { IdSource } from '../../../../engine/flow/ids'
import type { Registry } from '../../../../engine/flow/registry'
import { emptyFlow, type Flow } from '../../../../engine/flow/schema'
import { jsonSchema } from '../../../../engine/values/json'

/** The flow of a new chatbot: a group with the first trigger that accepts a new conversation. */
export function firstFlow(registry: Registry, ids: IdSource): Flow {
  const kind = registry.kinds.find(({ startsOn, inPalette }) => startsOn && inPalette)
  if (!kind) return emptyFlow()
  const data = z.record(z.string(), jsonSchema).parse(kind.defaults(ids))
  const block = { id: ids(), kind: kind.kind, version: kind.migrations.length, data }
  return { ...emptyFlow(), groups: [{ id: ids(), title: kind.title, position: { x: 0, y: 0 }, blocks: [block] }] }
}
