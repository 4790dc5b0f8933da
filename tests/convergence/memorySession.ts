import * as Y from 'yjs'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import type { FlowDocument } from '../../engine/document/flowDocument'
import { repairDocument } from '../../engine/document/repairDocument'
import { parseFlow } from '../../engine/flow/parseFlow'
import { seededRandom } from '../support/documents'
import { editAtRandom, smallFlow } from './randomEdits'

/**
 * Some people edit one flow, without a network: what each does reaches the others late, some of it twice, that of different people in
 * any order. At the end everybody has got everything.
 * @param options.jumbled lets what one person does arrive out of order too, which no connection of ours does
 * @returns their documents, and which kinds of edits were made
 */
export function memorySession(
  seed: number,
  edits: number,
  options: { jumbled?: boolean } = {},
): { people: FlowDocument[]; made: Set<string> } {
  const random = seededRandom(seed)
  const editors = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, person) => {
    let last = 0
    const doc = new Y.Doc()
    // what is decided by the ids of clients is decided alike whenever the seed is run
    doc.clientID = 1000 + Math.floor(random() * 1e9)
    return {
      document: createDocument({ doc, registry }),
      random,
      newId: () => `p${person}-${++last}`,
      inbox: [] as { from: number; update: Uint8Array }[],
      away: false,
    }
  })
  const [author] = editors
  if (!author) throw new Error('nobody is there')
  author.document.commands.replaceFlow(smallFlow(author))
  author.document.undo.clear()
  const begun = Y.encodeStateAsUpdate(author.document.doc)
  for (const editor of editors) if (editor !== author) Y.applyUpdate(editor.document.doc, begun, 'remote')
  for (const editor of editors) {
    editor.document.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === 'remote') return
      const from = editor.document.doc.clientID
      for (const other of editors) if (other !== editor) other.inbox.push({ from, update })
    })
  }
  const receive = ({ inbox, document }: (typeof editors)[number]) => {
    const any = Math.floor(random() * inbox.length)
    const at = options.jumbled ? any : inbox.findIndex(({ from }) => from === inbox[any]?.from)
    const [message] = random() < 0.05 ? inbox.slice(at, at + 1) : inbox.splice(at, 1)
    if (message) Y.applyUpdate(document.doc, message.update, 'remote')
  }
  const made = new Set<string>()
  for (let n = 0; n < edits; n++) {
    const editor = editors[Math.floor(random() * editors.length)] as (typeof editors)[number]
    made.add(editAtRandom(editor))
    if (random() < 0.01) editor.away = !editor.away
    for (let d = Math.floor(random() * editors.length); d > 0; d--) {
      const receiver = editors[Math.floor(random() * editors.length)] as (typeof editors)[number]
      if (!receiver.away) receive(receiver)
    }
  }
  // what arrives may make Yjs tidy up a text, which is news again
  while (editors.some(({ inbox }) => inbox.length > 0)) {
    for (const editor of editors) while (editor.inbox.length > 0) receive(editor)
  }
  return { people: editors.map(({ document }) => document), made }
}

/** What is wrong with a document that nobody but our own commands wrote into; empty when nothing is. */
export function faultsOf(document: FlowDocument): string[] {
  const notes: string[] = []
  const flow = document.toFlow()
  try {
    parseFlow(structuredClone(flow), registry, (note) => notes.push(note))
  } catch (error) {
    notes.push(String(error))
  }
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(document.doc))
  notes.push(...repairDocument(copy, registry).map((repair) => JSON.stringify(repair)))
  return notes
}
