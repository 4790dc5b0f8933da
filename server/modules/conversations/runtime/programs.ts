import type { Flow, Variable } from '../../../../engine/flow/schema'
import type { IntentModel } from '../../../../engine/intents/trainIntents'
import { createProgramInSteps, type Program } from '../../../../engine/run/program'
import type { ServerContext } from '../../../platform/context'
import { inSlices } from '../../../platform/jobs/inSlices'
import type { RunTask } from '../../../platform/workers/createThreads'
import type { Drafts } from '../../flows/drafts/createDrafts'
import { joinFlow } from '../../flows/drafts/flowPieces'
import { storedVersion } from '../../flows/versions/readFlows'
import { classifierOf, learnIntents } from './trainClassifier'
import type { ProgramSource } from './turnThreads'

const KEPT = 200

/** Programs of chatbots' published flows, by version; the most recently used are cached. A version never changes. */
export function createPrograms(
  context: Pick<ServerContext, 'db' | 'registry'> & { drafts: Drafts },
  { asksMeaning = false, train }: { asksMeaning?: boolean; train?: RunTask } = {},
) {
  const { drafts, registry } = context
  const programs = new Map<string, Entry>()

  /** A version may have thousands of groups: a worker thread parses it; this thread builds the program in slices. */
  async function load(projectId: string, versionId: string): Promise<Loaded> {
    const version = await storedVersion({ db: context.db.forProject(projectId) }, { id: versionId, projectId })
    const { main, others, intents } = await drafts.work(projectId, 'cut', { version })
    const flow = await inSlices(joinFlow(main))
    const flows: Record<string, Flow> = {}
    for (const other of others) flows[other.id] = await inSlices(joinFlow(other.flow))
    const model = await learnIntents(intents, train && { run: train, owner: projectId })
    const classify = await classifierOf(model)
    const program = await inSlices(createProgramInSteps(flow, registry, { flows, classify, asksMeaning }))
    const named = [[null, flow], ...Object.entries(flows)] as const
    return {
      ...{ program, model },
      variables: new Map(named.map(([id, { variables }]) => [id, variables])),
      titles: new Map(named.map(([id, { groups }]) => [id, new Map(groups.map((group) => [group.id, group.title]))])),
    }
  }

  function keep(key: string, entry: Entry): void {
    programs.delete(key)
    programs.set(key, entry)
    const oldest = programs.keys().next().value
    if (programs.size > KEPT && oldest !== undefined) programs.delete(oldest)
  }

  /** A version with what was read beside its program. */
  async function loaded(projectId: string, versionId: string): Promise<Loaded> {
    await get(projectId, versionId)
    return programs.get(keyOf(projectId, versionId))?.loading ?? load(projectId, versionId)
  }

  /**
   * Don't await it in a transaction: it may take seconds (intents are trained) and needs a connection; if all
   * connections were in transactions waiting for it, it would never get one.
   * @throws ApiError not_found
   */
  async function get(projectId: string, versionId: string): Promise<Program> {
    const key = keyOf(projectId, versionId)
    const entry = programs.get(key) ?? { loading: load(projectId, versionId), program: null }
    keep(key, entry)
    try {
      entry.program = (await entry.loading).program
      return entry.program
    } catch (error) {
      if (programs.get(key) === entry) programs.delete(key)
      throw error
    }
  }

  return {
    get,

    /** The variables of a version's flows by flow id, those of the main flow under null. @throws as `get` */
    async variables(projectId: string, versionId: string): Promise<Loaded['variables']> {
      return (await loaded(projectId, versionId)).variables
    },

    /** What the group of a block is called; null: there is no such block. @throws as `get` */
    async groupOf(
      projectId: string,
      versionId: string,
      { flowId, blockId }: { flowId: string | null; blockId: string },
    ): Promise<string | null> {
      const { program, titles } = await loaded(projectId, versionId)
      const block = program.flow(flowId)?.blocks.get(blockId)
      return (block && titles.get(flowId)?.get(block.groupId)) ?? null
    },

    /** The version's JSON texts for a worker thread, which parses them. Don't await it in a transaction either. */
    async source(projectId: string, versionId: string): Promise<ProgramSource> {
      await get(projectId, versionId)
      const entry = programs.get(keyOf(projectId, versionId))
      const version = await storedVersion({ db: context.db.forProject(projectId) }, { id: versionId, projectId })
      return { ...version, model: (await entry?.loading)?.model ?? null, asksMeaning }
    },

    /** The program if it is cached. */
    present(projectId: string, versionId: string): Program | null {
      const key = keyOf(projectId, versionId)
      const entry = programs.get(key)
      if (entry) keep(key, entry)
      return entry?.program ?? null
    },
  }
}

interface Loaded {
  program: Program
  /** the trained model of its intents */
  model: IntentModel | null
  variables: ReadonlyMap<string | null, readonly Variable[]>
  /** of its groups, by the flow's id and theirs */
  titles: ReadonlyMap<string | null, ReadonlyMap<string, string>>
}
interface Entry {
  loading: Promise<Loaded>
  program: Program | null
}

const keyOf = (projectId: string, versionId: string): string => `${projectId}/${versionId}`
