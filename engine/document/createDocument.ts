import * as Y from 'yjs'
import type { IdSource } from '../flow/ids'
import type { Registry } from '../flow/registry'
import type { FlowCommands, Projection } from './commands'
import { editFlow } from './editFlow'
import type { FlowDocument } from './flowDocument'
import { type Call, nameStep } from './history'
import { followDocument } from './projection'
import { stepsWithoutSecrets } from './secretSteps'
import { readTextType, rootsOf } from './shape'
import { createUndo } from './undo'
import { addFlowBeside, flowOf, writeFlow } from './wholeFlow'

/**
 * The live form of a flow on a Y.Doc.
 * @param options.doc the document to follow; default: a new one
 * @param options.origin the origin of these edits: undo reverts only edits of this origin (or `typingOrigin`)
 * @param options.clock timestamps of history steps, in ms
 * @param options.ids creates ids for an inserted flow whose ids are taken; default: they get a number appended
 */
export function createDocument(options: {
  doc?: Y.Doc
  registry: Registry
  origin?: object
  ids?: IdSource
  clock?: () => number
}): FlowDocument {
  const { doc = new Y.Doc(), registry, origin = {}, ids, clock } = options
  const typingOrigin = {}
  const roots = rootsOf(doc)
  const live = followDocument(roots, registry)
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
  /** the commands of the current step, for its name in the history */
  let calls: Call[] = []
  const undo = createUndo({
    doc,
    roots,
    origins: [origin, typingOrigin],
    name: (changed) => nameStep(calls, changed, roots, clock),
    clock,
    mayKeep: (steps) => stepsWithoutSecrets(roots, registry, steps),
  })
  /** One transaction and one undo step, however deeply calls are nested. */
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
        calls = []
      }
    }
  }
  const call = <Name extends Call['name']>(name: Name, run: FlowCommands[Name]): FlowCommands[Name] =>
    ((...args: Parameters<FlowCommands[Name]>) =>
      step(() => {
        calls.push({ name, args })
        ;(run as (...args: readonly unknown[]) => void)(...args)
      })) as FlowCommands[Name]
  /** blocks placed by this step: the projection learns of them at the end of the transaction */
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
    addGroup: call('addGroup', single.addGroup),
    setGroupTitle: call('setGroupTitle', single.setGroupTitle),
    moveGroups: call('moveGroups', single.moveGroups),
    deleteGroups: call('deleteGroups', single.deleteGroups),
    addBlock: call('addBlock', single.addBlock),
    moveBlock: call('moveBlock', single.moveBlock),
    deleteBlocks: call('deleteBlocks', single.deleteBlocks),
    setBlockData: call('setBlockData', single.setBlockData),
    setRichText: call('setRichText', single.setRichText),
    setTranslation: call('setTranslation', single.setTranslation),
    setLanguages: call('setLanguages', single.setLanguages),
    connect: call('connect', single.connect),
    disconnect: call('disconnect', single.disconnect),
    addVariable: call('addVariable', single.addVariable),
    updateVariable: call('updateVariable', single.updateVariable),
    deleteVariable: call('deleteVariable', single.deleteVariable),
    batch: step,
    typing(run) {
      typing = true
      try {
        run()
      } finally {
        typing = false
      }
    },
    insertFlow: call('insertFlow', (flow) =>
      everywhere(() => addFlowBeside(roots, registry, flow, live.current(), ids)),
    ),
    replaceFlow: call('replaceFlow', (flow) => everywhere(() => writeFlow(roots, registry, flow))),
  }

  return {
    doc,
    commands,
    undo,
    history: undo.names,
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
      undo.destroy()
    },
  }
}
