import { createHash } from 'node:crypto'
import * as Y from 'yjs'
import { migrateDocument } from '../../../../engine/document/migrateDocument'
import { readDocument, updateOf, writeDocument } from '../../../../engine/document/plainFlow'
import { repairDocument } from '../../../../engine/document/repairDocument'
import { splitUpdate } from '../../../../engine/document/splitUpdate'
import { canonicalFlow, flowFile, serialiseFlow } from '../../../../engine/flow/canonical'
import type { IdSource } from '../../../../engine/flow/ids'
import { type NamedThings, namedInFlow } from '../../../../engine/flow/namedInFlow'
import { enteredFlows, remapFlows } from '../../../../engine/flow/otherFlows'
import { parseFlow } from '../../../../engine/flow/parseFlow'
import type { Registry } from '../../../../engine/flow/registry'
import { type ChatbotFlows, type Flow, flowCaps, flowFileSchema } from '../../../../engine/flow/schema'
import { sealInto } from '../../../../engine/flow/sealFlow'
import { intentsOf } from '../../../../engine/intents/intentsOf'
import { firstProblem } from '../../../../engine/values/issues'
import type { PresentSecrets } from '../../../../engine/values/secrets'
import { ApiError } from '../../../platform/errors'
import { createLoadedDoc, foldParts } from '../collab/foldParts'
import { presentFlow } from '../flows/presenter'
import { countBlocks, readFlowFile, refusing, withNewIds } from '../flows/readFlowFile'
import { soundFlows } from '../flows/soundFlows'
import { frozen } from '../versions/freeze'
import { inPresentForm } from '../versions/presentForm'
import { checkForPublishing, refuseErrors } from '../versions/publishCheck'
import { createVersionTasks, textsOf } from './versionTasks'

/** A flow's stored draft: the parts of its document. */
export interface StoredDraft {
  /** its public id */
  id: string
  title: string
  parts: Uint8Array[]
}
/** A chatbot's drafts, the main flow first. */
export type StoredDrafts = readonly StoredDraft[]

/** Flows to be stored, each as the update that creates its document. */
export interface Seeds {
  main: Uint8Array
  others: { id: string; title: string; flow: Uint8Array }[]
}

interface FileImport {
  source: string
  parts: Uint8Array[]
  mode: 'replace' | 'insert'
  /** of the target project */
  present: PresentSecrets
}

/**
 * Operations on whole drafts, by name. Their duration grows with the flow, so they run in worker threads
 * (createDrafts.ts). They have no database; input and output can be copied between threads.
 * @throws ApiError as documented at the routes that use them
 */
export function createDraftTasks(registry: Registry, ids: IdSource) {
  /** A repaired document; `before` is the stored state without repairs. */
  function load(parts: readonly Uint8Array[]): { doc: Y.Doc; before: Uint8Array } {
    const doc = createLoadedDoc(parts)
    const before = Y.encodeStateVector(doc)
    migrateDocument(doc, registry)
    repairDocument(doc, registry, { ties: true })
    return { doc, before }
  }
  const flowOf = (parts: readonly Uint8Array[]): Flow => canonicalFlow(readDocument(load(parts).doc, registry))
  const flowsOf = ([main, ...others]: StoredDrafts): ChatbotFlows => ({
    main: flowOf(main?.parts ?? []),
    others: others.map(({ id, title, parts }) => ({ id, title, flow: flowOf(parts) })),
  })
  const seedsOf = ({ main, others }: ChatbotFlows): Seeds => ({
    main: updateOf(main, registry),
    others: others.map(({ id, title, flow }) => ({ id, title, flow: updateOf(flow, registry) })),
  })

  return {
    /** A stored document, repaired: its state in pieces, and the repairs, which are to be stored. */
    prepare({ parts }: { parts: Uint8Array[] }) {
      const doc = createLoadedDoc(parts)
      const made: Uint8Array[] = []
      doc.on('update', (update: Uint8Array) => made.push(update))
      migrateDocument(doc, registry)
      const repairs = repairDocument(doc, registry, { ties: true })
      const change = made.length > 0 ? Y.mergeUpdates(made) : null
      // an update with missing dependencies is in no state
      const waits = doc.store.pendingStructs !== null || doc.store.pendingDs !== null
      const pieces = waits ? parts : splitUpdate(Y.encodeStateAsUpdate(doc))
      return { pieces: waits && change ? [...pieces, change] : pieces, change, repairs }
    },

    /** Merges the stored parts of a document. */
    fold: ({ parts }: { parts: Uint8Array[] }): Uint8Array => foldParts(parts),

    /** The same in pieces, to be applied one after another. Updates with missing dependencies stay in the parts. */
    split: ({ parts }: { parts: Uint8Array[] }): Uint8Array[] => parts.flatMap((part) => splitUpdate(part)),

    read: ({ parts }: { parts: Uint8Array[] }): Flow => flowOf(parts),

    /** A file's flows under new ids, and the plain-text secrets found in it. */
    readFile({ source, present }: { source: string; present: PresentSecrets }) {
      const { result, ...read } = readFlowFile(source, { registry, ids })
      const { flows, secrets } = sealInto(read.flows, registry, present)
      return { result, seeds: seedsOf(flows), secrets }
    },

    /** A file's change to a draft as one update, and the plain-text secrets found in it. */
    importFile({ source, parts, mode, present }: FileImport) {
      const { result, ...read } = readFlowFile(source, { registry, ids })
      const { flows, secrets } = sealInto(read.flows, registry, present)
      const { doc, before } = load(parts)
      if (mode === 'insert') refuseCrowd(readDocument(doc, registry), flows.main)
      writeDocument(doc, registry, flows.main, mode, ids)
      const update = Y.encodeStateAsUpdate(doc, before)
      return { result, update, pieces: splitUpdate(update), others: seedsOf(flows).others, secrets }
    },

    /** One update that replaces a draft by a flow. @param flow an object, or its JSON text */
    replace({ flow, parts }: { flow: Flow | string; parts: Uint8Array[] }) {
      const { doc, before } = load(parts)
      writeDocument(doc, registry, typeof flow === 'string' ? JSON.parse(flow) : flow, 'replace', ids)
      const update = Y.encodeStateAsUpdate(doc, before)
      return { update, pieces: splitUpdate(update) }
    },

    /** The file of a flow, or of the whole chatbot for its main flow. */
    exportFile({ drafts }: { drafts: StoredDrafts }): string {
      const flows = flowsOf(drafts)
      const own = flows.others.map(({ id }, index) => [id, `flow-${index + 1}`] as const)
      // its flows get ids by their order: an imported copy exports the same file again
      const file = flows.others.length > 0 ? flowFile(remapFlows(flows, registry, new Map(own))) : flows.main
      refuseUnsound(file)
      return JSON.stringify(file)
    },

    /**
     * Freezes drafts for conversations; `checked`: refuses flows in which the checker, given the project's secrets,
     * finds errors.
     */
    freeze({ drafts, checked }: { drafts: StoredDrafts; checked: { secrets: readonly string[] } | null }) {
      const flows = flowsOf(drafts)
      if (!checked) return frozen(flows)
      const sound = soundFlows(flows, registry)
      refuseErrors(sound, registry, new Set(checked.secrets))
      return frozen(sound)
    },

    /** Freezes drafts for a version: equal drafts give equal versions. */
    keep: ({ drafts }: { drafts: StoredDrafts }) => frozen(inPresentForm(flowsOf(drafts), registry)),

    /** Drafts in the form of a version's flows (`unfreeze`). */
    present: ({ drafts }: { drafts: StoredDrafts }) => textsOf(flowsOf(drafts), registry),

    /** The update that creates a flow's document from its JSON text. */
    seed: ({ flow }: { flow: string }): Uint8Array => updateOf(JSON.parse(flow), registry),

    /** A flow as JSON, and a hash that identifies its content. */
    serialise({ parts }: { parts: Uint8Array[] }) {
      const flow = flowOf(parts)
      const mark = createHash('sha256').update(serialiseFlow(flow)).digest('base64url').slice(0, 22)
      return { text: JSON.stringify(flow), mark }
    },

    /** Validates a flow written by a program as JSON text; returns it with the plain-text secrets found in it. */
    takeFlow({ content, present }: { content: unknown; present: PresentSecrets }) {
      const main = refusing('flow', () => parseFlow(content, registry))
      const { flows, secrets } = sealInto({ main, others: [] }, registry, present)
      return { flow: JSON.stringify(flows.main), secrets }
    },

    /** Valid flows for replaying conversations, and the training data of their intents. */
    sound({ drafts }: { drafts: StoredDrafts }) {
      const flows = soundFlows(flowsOf(drafts), registry)
      const all = [flows.main, ...flows.others.map(({ flow }) => flow)]
      const { flow, flows: others, titles } = frozen(flows)
      return { version: { flow, flows: others }, titles, intents: intentsOf(all, registry) }
    },

    /** The ids of the flows that a draft enters. */
    entered: ({ parts }: { parts: Uint8Array[] }) => enteredFlows(flowOf(parts), registry),

    /** The secrets or connections that a draft refers to. */
    namedInDraft: ({ parts, things }: { parts: Uint8Array[]; things: NamedThings }) =>
      namedInFlow(flowOf(parts), registry, things),

    check({ drafts, secrets }: { drafts: StoredDrafts; secrets: readonly string[] }) {
      return checkForPublishing(flowsOf(drafts), registry, drafts[0]?.title ?? '', new Set(secrets))
    },

    /** The same flows with new ids, and with file addresses replaced where there are new ones. */
    copy: ({ drafts, addresses = [] }: { drafts: StoredDrafts; addresses?: FileAddresses }): Seeds =>
      seedsOf(withAddresses(withNewIds(flowsOf(drafts), { registry, ids }), new Map(addresses))),

    /** What a list shows of each flow. */
    outline: ({ drafts }: { drafts: StoredDrafts }) =>
      drafts.map(({ id, title, parts }, at) =>
        presentFlow({ gid: id, title, is_main: at === 0 }, flowOf(parts), registry),
      ),

    ...createVersionTasks(registry),
  }
}

/** File addresses, each with its replacement. */
export type FileAddresses = readonly (readonly [from: string, to: string])[]

/** A file's address means the same anywhere in a flow, so this needs no knowledge of kinds. */
function withAddresses(flows: ChatbotFlows, addresses: ReadonlyMap<string, string>): ChatbotFlows {
  if (addresses.size === 0) return flows
  const text = JSON.stringify(flows)
  return JSON.parse(text.replace(/\/files\/[a-z0-9]{16}/g, (address) => addresses.get(address) ?? address))
}

export type DraftTasks = ReturnType<typeof createDraftTasks>

/**
 * A draft contains whatever clients wrote: invalid content is an error of the caller, not of ours. A draft above the
 * caps is returned anyway: otherwise nobody could shorten it.
 */
function refuseUnsound(draft: unknown): void {
  const issues = flowFileSchema.safeParse(draft).error?.issues ?? []
  const unsound = issues.filter(({ code, path }) => code !== 'too_big' || !COUNTED.has(String(path.at(-1))))
  if (unsound.length === 0) return
  throw new ApiError('invalid', {
    message: `The draft can't be exported: ${firstProblem(unsound)}. Correct it and export again.`,
  })
}
const COUNTED: ReadonlySet<string> = new Set(['groups', 'edges', 'variables'])

function refuseCrowd(present: Flow, added: Flow): void {
  const full =
    present.groups.length + added.groups.length > flowCaps.groups ||
    countBlocks(present) + countBlocks(added) > flowCaps.blocks ||
    present.edges.length + added.edges.length > flowCaps.edges ||
    present.variables.length + added.variables.length > flowCaps.variables
  if (full)
    throw new ApiError('too_large', {
      message: 'The flow would be too large. Import it into a new chatbot.',
    })
}
