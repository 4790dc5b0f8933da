import * as Y from 'yjs'
import { z } from 'zod'
import { createDocument } from '../../engine/document/createDocument'
import type { FlowDocument } from '../../engine/document/flowDocument'
import { defineBlock } from '../../engine/flow/defineBlock'
import { createRegistry } from '../../engine/flow/registry'
import type { Block, Flow } from '../../engine/flow/schema'
import { emptyFlow } from '../../engine/flow/schema'
import type { Json } from '../../engine/values/json'
import { plainRichText } from '../../engine/values/richText'

/** Kinds for the document's tests: one with rich text, one with nested keyed lists. */
const anything = z.record(z.string(), z.json()) as unknown as z.ZodType<Record<string, Json>>
const shared = {
  category: 'bubble',
  help: '',
  ports: () => [{ id: 'next' }],
  *run() {
    return 'next' as const
  },
} as const
export const testRegistry = createRegistry([
  defineBlock({
    ...shared,
    kind: 'note',
    title: 'Note',
    schema: anything,
    defaults: () => ({}),
    richTexts: ['content'],
  }),
  defineBlock({ ...shared, kind: 'choice', title: 'Choice', schema: anything, defaults: () => ({}) }),
])

export const noteBlock = (id: string, text = ''): Block => ({
  id,
  kind: 'note',
  version: 0,
  data: { content: plainRichText(text) as unknown as Json },
})
export const choiceBlock = (id: string, options: string[]): Block => ({
  id,
  kind: 'choice',
  version: 0,
  data: { multiple: false, options: options.map((option) => ({ id: option, label: `Label ${option}` })) },
})

export function flowWith(groups: Record<string, Block[]>): Flow {
  return {
    ...emptyFlow(),
    groups: Object.entries(groups).map(([id, blocks], i) => ({
      id,
      title: `Group ${id}`,
      position: { x: i * 400, y: 0 },
      blocks,
    })),
  }
}

/** A document with the flow, created by somebody else, as after loading. */
export function documentOf(flow: Flow): FlowDocument {
  const author = createDocument({ registry: testRegistry })
  author.commands.replaceFlow(flow)
  return replica(author)
}

export function replica(of: FlowDocument): FlowDocument {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(of.doc))
  return createDocument({ doc, registry: testRegistry })
}

/** Synchronises documents, like a server would. */
export function sync(...documents: FlowDocument[]): void {
  for (const from of documents) {
    for (const to of documents) {
      if (from !== to) Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)), 'remote')
    }
  }
}

/** A seeded random generator in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
