import * as Y from 'yjs'
import type { IdSource } from '../flow/ids'
import type { Registry } from '../flow/registry'
import type { FlowCommands, FlowDocument, Projection } from './commands'
import { editFlow } from './editFlow'
import { followDocument } from './projection'
import { readTextType, rootsOf } from './shape'
import { createUndo } from './undo'
import { addFlowBeside, flowOf, writeFlow } from './wholeFlow'

/**
 * The live form of a flow on a Y.Doc.
 * @param options.doc the document to follow; a new one unless given
 * @param options.origin whose edits these are: undo takes back only what this origin (or `typingOrigin`) did
 * @param options.ids new ids for an inserted flow whose ids are taken; without it they get a number
 */
export function createDocument(options: {
  doc?: Y.Doc
  registry: Registry
  origin?: object
  ids?: IdSource
}): FlowDocument {
  const { doc = new Y.Doc(), registry, origin = {}, ids } = options
  const typingOrigin = {}
  const roots = rootsOf(doc)
  const live = followDocument(roots, registry)
  const { undo, stop } = createUndo(doc, roots, [origin, typingOrigin])
  const listeners = new Set<(projection: Projection) => void>()
  let last = live.current()
  const notify = () => {
    const projection = live.current()
    if (projection === last) return
    last = projection
    for (const listener of listeners) listener(projection)
  }
  doc.on('afterTransaction', notify)

  let depth = 0
  let typing = false
  /** One transaction and one step of undo, however deep the call. */
  const step = (run: () => void) => {
    if (depth === 0 && !typing) undo.stopCapturing()
    depth += 1
    try {
      doc.transact(run, origin)
    } finally {
      depth -= 1
      if (depth === 0) {
        if (!typing) undo.stopCapturing()
        placed.clear()
      }
    }
  }
  /** what this step has put somewhere: the projection learns of it at the end of the transaction */
  const placed = new Set<string>()
  const single = editFlow(roots, registry, {
    around: (groupId) => new Set([...live.blocksIn(groupId), ...placed]),
    placed: (blockId) => placed.add(blockId),
  })
  const everywhere = (run: () => void) =>
    step(() => {
      run()
      for (const id of roots.blocks.keys()) placed.add(id)
    })
  const commands: FlowCommands = {
    addGroup: (group) => step(() => single.addGroup(group)),
    setGroupTitle: (groupId, title) => step(() => single.setGroupTitle(groupId, title)),
    moveGroups: (positions) => step(() => single.moveGroups(positions)),
    deleteGroups: (groupIds) => step(() => single.deleteGroups(groupIds)),
    addBlock: (groupId, index, block) => step(() => single.addBlock(groupId, index, block)),
    moveBlock: (blockId, to) => step(() => single.moveBlock(blockId, to)),
    deleteBlocks: (blockIds) => step(() => single.deleteBlocks(blockIds)),
    setBlockData: (blockId, data) => step(() => single.setBlockData(blockId, data)),
    setRichText: (blockId, field, value) => step(() => single.setRichText(blockId, field, value)),
    connect: (from, to) => step(() => single.connect(from, to)),
    disconnect: (ports) => step(() => single.disconnect(ports)),
    addVariable: (variable) => step(() => single.addVariable(variable)),
    updateVariable: (variableId, change) => step(() => single.updateVariable(variableId, change)),
    deleteVariable: (variableId) => step(() => single.deleteVariable(variableId)),
    batch: step,
    typing(run) {
      typing = true
      try {
        run()
      } finally {
        typing = false
      }
    },
    insertFlow: (flow) => everywhere(() => addFlowBeside(roots, registry, flow, live.current(), ids)),
    replaceFlow: (flow) => everywhere(() => writeFlow(roots, registry, flow)),
  }

  return {
    doc,
    commands,
    undo,
    typingOrigin,
    projection: () => live.current(),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    text: (blockId, field) => (live.current().blocks.has(blockId) ? readTextType(roots, blockId, field) : null),
    toFlow: () => flowOf(live.current(), live.groupOrder),
    destroy() {
      doc.off('afterTransaction', notify)
      listeners.clear()
      live.stop()
      stop()
    },
  }
}
