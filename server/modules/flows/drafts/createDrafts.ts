import { registry as realRegistry } from '../../../../blocks/registry'
import { isYaml } from '../../../../engine/interop/isYaml'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { createThreads, type RunTask } from '../../../platform/workers/createThreads'
import { ownBuffers } from '../../../platform/workers/ownBuffers'
import { TaskError } from '../../../platform/workers/taskError'
import { createDraftTasks, type DraftTasks } from './draftTasks'
import { carryOut } from './draftWork'
import { workOnDraft } from './tasks'

/** Smaller inputs are processed at once, in a few milliseconds: transferring them to a thread would take longer. */
const INLINE_BYTES = 64_000
/** For all of a chatbot's flows together; a task that exceeds them is refused, and its thread's memory is freed. */
const LIMITS = { threads: 2, timeMs: 60_000, heapMb: 1_500 }

type Name = keyof DraftTasks
type Input<Of extends Name> = Parameters<DraftTasks[Of]>[0]
type Result<Of extends Name> = ReturnType<DraftTasks[Of]>

export interface Drafts {
  /**
   * Runs a task of draftTasks.ts, in a worker thread if the flow is large. Byte arrays of the input are transferred:
   * they are empty afterwards.
   * @param projectId projects take turns
   * @throws ApiError as the task does; too_large if it exceeds its limits of time or memory
   */
  work<Of extends Name>(projectId: string, name: Of, input: Input<Of>): Promise<Result<Of>>
}

/** Creates the service that works on drafts, with worker threads that start on demand. @param run replaces those */
export function createDrafts({ registry, ids }: Pick<ServerContext, 'registry' | 'ids'>, run?: RunTask): Drafts {
  // test kinds are only known to this thread
  const threads = registry === realRegistry ? (run ?? createThreads(LIMITS)) : null
  const here = createDraftTasks(registry, ids)

  return {
    async work(projectId, name, input) {
      if (!threads || (bytesOf(input) < INLINE_BYTES && !holdsYaml(input)))
        return carryOut(here, { name, input }) as never
      const sent = copied(input)
      const options = { owner: projectId, transfer: ownBuffers(sent) }
      const outcome = await threads(workOnDraft, { name, input: sent }, options).catch(refuse)
      if ('refused' in outcome) {
        const { code, message, fields, details } = outcome.refused
        throw new ApiError(code, { message, ...(fields && { fields }), ...(details && { details }) })
      }
      return outcome.value as never
    },
  }
}

/** YAML takes many times as long to parse as JSON: its text is never parsed on the event loop. */
const holdsYaml = (input: object): boolean =>
  'source' in input && typeof input.source === 'string' && input.source.length > 1_000 && isYaml(input.source)

function refuse(error: unknown): never {
  if (!(error instanceof TaskError) || error.fault === 'failed' || error.fault === 'lost') throw error
  throw new ApiError('too_large', {
    message: 'The flow is too large. Split it into several flows.',
    cause: error,
  })
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + bytesOf(part), 0)
  return value !== null && typeof value === 'object' ? bytesOf(Object.values(value)) : 8
}

/**
 * A view of a larger buffer would be transferred with all of it, so it is copied; others are transferred as they are.
 */
function copied<Value>(value: Value): Value {
  if (value instanceof Uint8Array)
    return value.byteLength === value.buffer.byteLength ? value : (new Uint8Array(value) as Value)
  if (Array.isArray(value)) return value.map(copied) as Value
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)])) as Value
}
