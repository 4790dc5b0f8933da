import * as Y from 'yjs'
import type { IdSource } from '../flow/ids'
import type { Registry } from '../flow/registry'
import type { Flow } from '../flow/schema'
import { followDocument } from './projection'
import { rootsOf } from './shape'
import { addFlowBeside, flowOf, writeFlow } from './wholeFlow'

/** Reads a document once, without undo and listeners (for the server). */
export function readDocument(doc: Y.Doc, registry: Registry): Flow {
  const live = followDocument(rootsOf(doc), registry)
  try {
    return flowOf(live.current(), live.groupOrder)
  } finally {
    live.stop()
  }
}

/** Makes the document hold the flow, or adds it to the present content, in one transaction. */
export function writeDocument(
  doc: Y.Doc,
  registry: Registry,
  flow: Flow,
  mode: 'replace' | 'insert',
  ids: IdSource,
): void {
  const roots = rootsOf(doc)
  doc.transact(() => {
    if (mode === 'replace') return writeFlow(roots, registry, flow)
    const live = followDocument(roots, registry)
    try {
      addFlowBeside(roots, registry, flow, live.current(), ids)
    } finally {
      live.stop()
    }
  })
}

/** The update that makes an empty document hold the flow. */
export function updateOf(flow: Flow, registry: Registry): Uint8Array {
  const doc = new Y.Doc()
  try {
    doc.transact(() => writeFlow(rootsOf(doc), registry, flow))
    return Y.encodeStateAsUpdate(doc)
  } finally {
    doc.destroy()
  }
}
