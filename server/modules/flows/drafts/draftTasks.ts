import { createHash } from 'node:crypto'
import * as Y from 'yjs'
import { migrateDocument } from '../../../../engine/document/migrateDocument'
import { readDocument, updateOf, writeDocument } from '../../../../engine/document/plainFlow'
import { repairDocument } from '../../../../engine/document/repairDocument'
import { splitUpdate } from '../../../../engine/document/splitUpdate'
import { canonicalFlow, flowFile, serialiseFlow } from '../../../../engine/flow/canonical'
import type { IdSource } from '../../../../engine/flow/ids'
import { enteredFlows, remapFlows } from '../../../../engine/flow/otherFlows'
import { parseFlow } from '../../../../engine/flow/parseFlow'
import type { Registry } from '../../../../engine/flow/registry'
import { type ChatbotFlows, type Flow, flowCaps, flowFileSchema } from '../../../../engine/flow/schema'
import { sealInto, secretsOfFlow } from '../../../../engine/flow/sealFlow'
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

/** A flow's draft as it is stored: the parts of its document. */
export interface StoredDraft {
  /** its public id */
  id: string
  title: string
  parts: Uint8Array[]
}
/** The drafts of a chatbot, that of its main flow first. */
export type StoredDrafts = readonly StoredDraft[]

/** Flows that are about to be stored, each as the update that makes an empty document hold it. */
export interface Seeds {
  main: Uint8Array
  others: { id: string; title: string; flow: Uint8Array }[]
}

interface FileImport {
  source: string
  parts: Uint8Array[]
  mode: 'replace' | 'insert'
  /** of the project that it comes into */
  present: PresentSecrets
}

/**
 * What is done to whole drafts, by name: each works as long as the flow is large, so it is carried out in a thread
 * (createDrafts.ts). Nothing here has a database; what goes in and out can be copied between threads.
 * @throws ApiError as the routes do that ask for it
 */
export function createDraftTasks(registry: Registry, ids: IdSource) {
  /** In order; `before` is the state as it is stored, without what put it in order. */
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
    /** A stored document in order: its state in pieces, and what put it in order, which is to be stored. */
    prepare({ parts }: { parts: Uint8Array[] }) {
      const doc = createLoadedDoc(parts)
      const made: Uint8Array[] = []
      doc.on('update', (update: Uint8Array) => made.push(update))
      migrateDocument(doc, registry)
      const repairs = repairDocument(doc, registry, { ties: true })
      const change = made.length > 0 ? Y.mergeUpdates(made) : null
      // what waits for parts that are still to come is in no state
      const waits = doc.store.pendingStructs !== null || doc.store.pendingDs !== null
      const pieces = waits ? parts : splitUpdate(Y.encodeStateAsUpdate(doc))
      return { pieces: waits && change ? [...pieces, change] : pieces, change, repairs }
    },

    /** The stored parts of a document as one. */
    fold: ({ parts }: { parts: Uint8Array[] }): Uint8Array => foldParts(parts),

    /**
     * The same in pieces, to be applied one after the other. What waits for parts that are still to come stays in the
     * parts.
     */
    split: ({ parts }: { parts: Uint8Array[] }): Uint8Array[] => parts.flatMap((part) => splitUpdate(part)),

    read: ({ parts }: { parts: Uint8Array[] }): Flow => flowOf(parts),

    /** The flows of a file, under ids of their own, and the secrets that stood open in it. */
    readFile({ source, present }: { source: string; present: PresentSecrets }) {
      const { result, ...read } = readFlowFile(source, { registry, ids })
      const { flows, secrets } = sealInto(read.flows, registry, present)
      return { result, seeds: seedsOf(flows), secrets }
    },

    /** What a file does to a draft: one update; and the secrets that stood open in it. */
    importFile({ source, parts, mode, present }: FileImport) {
      const { result, ...read } = readFlowFile(source, { registry, ids })
      const { flows, secrets } = sealInto(read.flows, registry, present)
      const { doc, before } = load(parts)
      if (mode === 'insert') refuseCrowd(readDocument(doc, registry), flows.main)
      writeDocument(doc, registry, flows.main, mode, ids)
      const update = Y.encodeStateAsUpdate(doc, before)
      return { result, update, pieces: splitUpdate(update), others: seedsOf(flows).others, secrets }
    },

    /** What puts a flow in the place of a draft, as one update. @param flow as it is, or as a text of JSON */
    replace({ flow, parts }: { flow: Flow | string; parts: Uint8Array[] }) {
      const { doc, before } = load(parts)
      writeDocument(doc, registry, typeof flow === 'string' ? JSON.parse(flow) : flow, 'replace', ids)
      const update = Y.encodeStateAsUpdate(doc, before)
      return { update, pieces: splitUpdate(update) }
    },

    /** The file of a flow, or of the whole chatbot where its main flow is meant. */
    exportFile({ drafts }: { drafts: StoredDrafts }): string {
      const flows = flowsOf(drafts)
      const own = flows.others.map(({ id }, index) => [id, `flow-${index + 1}`] as const)
      // its flows have ids of the file's own, in their order: of a copy made from it, the same file can be made again
      const file = flows.others.length > 0 ? flowFile(remapFlows(flows, registry, new Map(own))) : flows.main
      refuseUnsound(file)
      return JSON.stringify(file)
    },

    /**
     * As conversations are had with them; `checked`: refused where the checker, told of the project's secrets, finds
     * errors.
     */
    freeze({ drafts, checked }: { drafts: StoredDrafts; checked: { secrets: readonly string[] } | null }) {
      const flows = flowsOf(drafts)
      if (!checked) return frozen(flows)
      const sound = soundFlows(flows, registry)
      refuseErrors(sound, registry, new Set(checked.secrets))
      return frozen(sound)
    },

    /** As versions are kept: the same draft then is the same version. */
    keep: ({ drafts }: { drafts: StoredDrafts }) => frozen(inPresentForm(flowsOf(drafts), registry)),

    /** The drafts as a version's flows are given out (`unfreeze`). */
    present: ({ drafts }: { drafts: StoredDrafts }) => textsOf(flowsOf(drafts), registry),

    /** The update that makes an empty document hold a flow, a text of JSON. */
    seed: ({ flow }: { flow: string }): Uint8Array => updateOf(JSON.parse(flow), registry),

    /** A flow as JSON, and the mark that tells it from any other. */
    serialise({ parts }: { parts: Uint8Array[] }) {
      const flow = flowOf(parts)
      const mark = createHash('sha256').update(serialiseFlow(flow)).digest('base64url').slice(0, 22)
      return { text: JSON.stringify(flow), mark }
    },

    /** A flow that a program wrote, as a text of JSON, and the secrets that stood open in it. */
    takeFlow({ content, present }: { content: unknown; present: PresentSecrets }) {
      const main = refusing('flow', () => parseFlow(content, registry))
      const { flows, secrets } = sealInto({ main, others: [] }, registry, present)
      return { flow: JSON.stringify(flows.main), secrets }
    },

    /** Sound flows as conversations are replayed on them, and what their intents are trained on. */
    sound({ drafts }: { drafts: StoredDrafts }) {
      const flows = soundFlows(flowsOf(drafts), registry)
      const all = [flows.main, ...flows.others.map(({ flow }) => flow)]
      const { flow, flows: others, titles } = frozen(flows)
      return { version: { flow, flows: others }, titles, intents: intentsOf(all, registry) }
    },

    /** The ids of the flows that a draft enters. */
    entered: ({ parts }: { parts: Uint8Array[] }) => enteredFlows(flowOf(parts), registry),

    /** The names of the secrets that a draft refers to. */
    secretsOfDraft: ({ parts }: { parts: Uint8Array[] }) => secretsOfFlow(flowOf(parts), registry),

    check({ drafts, secrets }: { drafts: StoredDrafts; secrets: readonly string[] }) {
      return checkForPublishing(flowsOf(drafts), registry, drafts[0]?.title ?? '', new Set(secrets))
    },

    /**
     * The same flows under ids that no flow of the installation has, and with other addresses of files where these have
     * new ones.
     */
    copy: ({ drafts, addresses = [] }: { drafts: StoredDrafts; addresses?: FileAddresses }): Seeds =>
      seedsOf(withAddresses(withNewIds(flowsOf(drafts), { registry, ids }), new Map(addresses))),

    /** What a list says of each flow. */
    outline: ({ drafts }: { drafts: StoredDrafts }) =>
      drafts.map(({ id, title, parts }, at) =>
        presentFlow({ gid: id, title, is_main: at === 0 }, flowOf(parts), registry),
      ),

    ...createVersionTasks(registry),
  }
}

/** Addresses of files, each with the one that takes its place. */
export type FileAddresses = readonly (readonly [from: string, to: string])[]

/** An address means the same wherever it stands in a flow, so no kind has to be known here. */
function withAddresses(flows: ChatbotFlows, addresses: ReadonlyMap<string, string>): ChatbotFlows {
  if (addresses.size === 0) return flows
  const text = JSON.stringify(flows)
  return JSON.parse(text.replace(/\/files\/[a-z0-9]{16}/g, (address) => addresses.get(address) ?? address))
}

export type DraftTasks = ReturnType<typeof createDraftTasks>

/**
 * A draft holds whatever clients put into it: what no flow may have is the caller's to mend, no failure of ours. More
 * than a flow may have is given out all the same: nobody else can take it apart.
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
