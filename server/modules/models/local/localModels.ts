import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { LOCAL_MODEL_CAPS, type LocalModelFile, WEIGHT_FILES } from '../../../contracts/localModels'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { refuseWithoutSpace } from '../../../platform/files/freeSpace'
import { createUploadQuotas } from '../../../platform/files/uploadQuotas'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { OutboundError } from '../../../platform/outbound/errors'
import { createProjectStream } from '../../../platform/outbound/projectNetworks'
import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { TaskError, type TaskFault } from '../../../platform/workers/taskError'
import type { OpenEmbedder } from '../models'
import { knownReading } from './families'
import { LoadError, type Loading, loadFile } from './loadFile'
import { createLocalEmbedders } from './localEmbedder'
import { fileAddresses, type ModelPlace, placeOf } from './modelAddress'
import type { LocalModelsTable } from './tables'
import { packModel } from './tasks'

const load = defineJob('models.load', z.strictObject({ projectId: z.string(), gid: z.string() }), { lane: 'sending' })

/** Loaded first: what is wrong with the address or the tokenizer shows before hundreds of megabytes come. */
const SMALL_FILES: readonly LocalModelFile[] = ['config.json', 'README.md', 'tokenizer.json']
const FILES = Object.keys(LOCAL_MODEL_CAPS) as LocalModelFile[]
/** ms of a job's run: then it is written down, and others have a turn. */
const RUN = 20_000
/** ms before the next attempt, by how many brought nothing */
const PAUSES = [0, 5_000, 15_000, 60_000, 180_000]
/** The largest model is packed in some 10 s. */
const PACKING = { timeMs: 180_000, heapMb: 1_024, growth: 1_500_000_000, idleMs: 0 }

export interface LocalModels {
  /** Of the model that a project uses; null: of none. */
  embedder(projectId: string): Promise<OpenEmbedder | null>
  folderOf(projectId: string, gid: string): string
  /** Loads what is missing, then checks and packs the model. */
  begin(db: ProjectDb, model: { projectId: string; gid: string }): Promise<void>
  removeFiles(projectId: string, gid: string): Promise<void>
  /** Which of a model's files are here, and the bytes of all of them. */
  filesOf(projectId: string, gid: string): Promise<{ names: LocalModelFile[]; bytes: number }>
  /** Removes folders that no row names any more. */
  sweep(): Promise<void>
  jobs: readonly HandledJob[]
}

/** Models in files: they are loaded by jobs, which go on where they were when a process ended, and used by threads. */
export function createLocalModels(
  context: Pick<ServerContext, 'db' | 'config' | 'clock' | 'jobs'>,
  { pack = createThreads(PACKING), embed }: { pack?: RunTask; embed?: RunTask } = {},
): LocalModels {
  const { db, config, clock, jobs } = context
  const root = join(config.dataDir, 'models')
  const embedderOf = createLocalEmbedders(embed)
  const quotas = createUploadQuotas(context)
  const folderOf = (projectId: string, gid: string) => join(root, projectId, gid)

  const loaded = load.handledBy(async ({ projectId, gid }) => {
    const model = await find(projectId, gid)
    if (!model) return undefined
    if (model.state === 'packing') return packed(model)
    if (model.state !== 'loading') return undefined
    const place = placeOf(model.address ?? '')
    if (!place) return failed(model, 'The address can’t be read: remove the model, and add it again')
    try {
      return await loadSome(model, place)
    } catch (error) {
      // a server that was there a moment ago may be there again
      if (isBreak(error) && Number(model.loaded_bytes) > 0) return goOn(model, 0)
      const reason = reasonOf(error)
      if (reason === null) throw error
      return failed(model, reason)
    }
  })

  type Model = NonNullable<Awaited<ReturnType<typeof find>>>

  const find = (projectId: string, gid: string) =>
    db
      .forProject(projectId)
      .selectFrom('local_models')
      .select(['gid', 'project_id', 'name', 'address', 'state', 'stalled', 'loaded_bytes'])
      .where('project_id', '=', projectId)
      .where('gid', '=', gid)
      .executeTakeFirst()

  const change = (model: Model, values: Partial<LocalModelsRow>) =>
    db
      .forProject(model.project_id)
      .updateTable('local_models')
      .set({ ...values, updated_at: clock() })
      .where('project_id', '=', model.project_id)
      .where('gid', '=', model.gid)
      .execute()

  async function failed(model: Model, problem: string): Promise<undefined> {
    await change(model, { state: 'failed', problem: problem.slice(0, 500) })
  }

  /** @returns when to go on. @throws what the person is told, and what is nobody's fault */
  async function loadSome(model: Model, place: ModelPlace): Promise<Date | undefined> {
    const folder = folderOf(model.project_id, model.gid)
    await mkdir(folder, { recursive: true })
    const fetch = createProjectStream(context, model.project_id, { most: Number.POSITIVE_INFINITY, redirects: 5 })
    const signal = AbortSignal.timeout(RUN)
    let before = 0
    let here = 0

    /** Loads a file from the first of its addresses that has it. */
    async function loadOne(name: LocalModelFile): Promise<Loading> {
      const path = join(folder, name)
      const present = await sizeOf(path)
      if (present !== null) {
        before += present
        return 'complete'
      }
      const onProgress = async (bytes: number, total: number | null) => {
        here = before + bytes
        const left = total === null ? 0 : total - bytes
        await refuseWithoutSpace(folder, config.freeSpace, left)
        await change(model, {
          loaded_bytes: String(here),
          // the model's numbers come last, and are nearly all of it
          ...(isWeights(name) && { total_bytes: total === null ? null : String(before + total) }),
        })
        await quotas.refuseMore(model.project_id, left)
      }
      for (const url of fileAddresses(place, name)) {
        const ended = await loadFile({ fetch, url, name, path, signal, onProgress })
        if (ended === 'complete') before += (await sizeOf(path)) ?? 0
        if (ended !== 'missing') return ended
      }
      return 'missing'
    }

    for (const name of SMALL_FILES) {
      const ended = await loadOne(name)
      if (ended === 'interrupted') return goOn(model, here)
      if (ended === 'missing' && name === 'tokenizer.json') throw new LoadError(absence([name], place))
    }
    const wanted = await weightsOf(folder, place)
    for (const [at, name] of wanted.entries()) {
      const ended = await loadOne(name)
      if (ended === 'complete') break
      if (ended === 'interrupted') return goOn(model, here)
      if (at === wanted.length - 1) throw new LoadError(absence(wanted, place))
    }
    await change(model, { state: 'packing', stalled: 0 })
    return clock()
  }

  /** After an attempt that did not come to its end. */
  async function goOn(model: Model, here: number): Promise<Date | undefined> {
    const stalled = here > Number(model.loaded_bytes) ? 0 : model.stalled + 1
    const pause = PAUSES[stalled]
    if (pause === undefined) return failed(model, 'The server broke off several times. Try again later.')
    await change(model, { stalled })
    return new Date(clock().getTime() + pause)
  }

  async function packed(model: Model): Promise<undefined> {
    const folder = folderOf(model.project_id, model.gid)
    try {
      await refuseWithoutSpace(folder, config.freeSpace)
      const facts = await pack(packModel, { folder }, { owner: model.project_id })
      const reading = facts.kind === 'onnx' ? knownReading(`${model.address ?? ''} ${model.name}`) : null
      await change(model, { state: 'ready', problem: null, ...facts, ...reading })
    } catch (error) {
      await failed(model, reasonOf(error) ?? (error instanceof Error ? error.message : String(error)))
    }
  }

  return {
    folderOf,
    async embedder(projectId) {
      const row = await db
        .forProject(projectId)
        .selectFrom('local_models')
        .select(['gid', 'name', 'sha256', 'dimension', 'kind', 'question_prefix', 'passage_prefix', 'pooling'])
        .where('project_id', '=', projectId)
        .where('in_use', '=', true)
        .executeTakeFirst()
      if (!row || row.sha256 === null || row.dimension === null) return null
      const { gid, sha256, dimension, ...rest } = row
      return embedderOf({ ...rest, projectId, sha256, dimension, folder: folderOf(projectId, gid) })
    },
    async begin(project, { projectId, gid }) {
      await jobs.schedule(project, load, { payload: { projectId, gid }, runAt: clock(), projectId, key: gid })
    },
    removeFiles: (projectId, gid) => rm(folderOf(projectId, gid), { recursive: true, force: true }),
    async filesOf(projectId, gid) {
      const folder = folderOf(projectId, gid)
      const sizes = await Promise.all(FILES.map((name) => sizeOf(join(folder, name))))
      const names = FILES.filter((_, at) => sizes[at] !== null)
      return { names, bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) }
    },
    async sweep() {
      for (const projectId of await readdir(root).catch(() => []))
        for (const gid of await readdir(join(root, projectId)).catch(() => [])) {
          const model = /^\d+$/.test(projectId) ? await find(projectId, gid) : undefined
          if (!model) await rm(join(root, projectId, gid), { recursive: true, force: true })
        }
    },
    jobs: [loaded],
  }
}

type LocalModelsRow = Omit<Selectable<LocalModelsTable>, 'id' | 'in_use'>

const isWeights = (name: LocalModelFile): boolean => WEIGHT_FILES.some((each) => each === name)

const settings = z.looseObject({ model_type: z.string() })

/**
 * Which file holds a model's numbers: the one that the address names, else by `config.json`. A transformer's
 * `model.safetensors` is of no use here.
 */
async function weightsOf(folder: string, { onnx }: ModelPlace): Promise<readonly LocalModelFile[]> {
  if (onnx !== null) return ['model.onnx']
  const text = await readFile(join(folder, 'config.json'), 'utf8').catch(() => '')
  try {
    const { model_type } = settings.parse(JSON.parse(text))
    return model_type === 'model2vec' ? ['model.safetensors'] : ['model.onnx']
  } catch {
    return WEIGHT_FILES
  }
}

const absence = (names: readonly LocalModelFile[], { folder, onnx }: ModelPlace): string =>
  `There is no ${onnx !== null && names.includes('model.onnx') ? onnx : names.join(' or ')} at ${folder}: give the address of a model in model2vec’s format, or of a file in ONNX`

const faults: Record<Exclude<TaskFault, 'failed'>, string> = {
  slow: 'The model took too long to check: it is too large for this machine, or damaged',
  large: 'The model takes more memory than there is for it: choose a smaller one',
  lost: 'The model could not be checked: it is damaged, or too large for this machine',
}

const BREAKS: readonly string[] = ['closed', 'refused', 'timeout', 'unknown_host', 'unreachable']
const isBreak = (error: unknown): boolean => error instanceof OutboundError && BREAKS.includes(error.code)

/** A sentence for whoever added the model; null: the job's next run may do better. */
function reasonOf(error: unknown): string | null {
  if (error instanceof TaskError) return error.fault === 'failed' ? error.message : faults[error.fault]
  if (error instanceof LoadError || error instanceof OutboundError || error instanceof ApiError) return error.message
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall ? `The model can’t be written to this machine’s disk (${code})` : null
}

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )
