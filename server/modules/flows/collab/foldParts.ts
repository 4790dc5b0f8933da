import * as Y from 'yjs'

/** Merges stored parts through a document instead of merging bytes, which drops deleted content. */
export function foldParts(parts: readonly Uint8Array[]): Uint8Array {
  const doc = createLoadedDoc(parts)
  try {
    return Y.encodeStateAsUpdate(doc)
  } finally {
    doc.destroy()
  }
}

export function createLoadedDoc(parts: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const part of parts) Y.applyUpdate(doc, part)
  })
  return doc
}
