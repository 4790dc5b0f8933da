import { randomBytes } from 'node:crypto'
import { registry } from '../../../../blocks/registry'
import { createIdSource } from '../../../../engine/flow/ids'
import { ApiError, type ApiErrorCode } from '../../../platform/errors'
import { createDraftTasks } from './draftTasks'

/** A task of draftTasks.ts by name, with its input. */
export interface DraftWork {
  name: string
  input: unknown
}
/** The result: a refusal is a value, since errors lose their properties between threads. */
export type DraftOutcome = { value: unknown } | { refused: Refused }
interface Refused {
  code: ApiErrorCode
  message: string
  fields: Record<string, string> | undefined
  details: Record<string, unknown> | undefined
}

/** Runs a task with the real block kinds: the thread's function. */
export async function workOnDraft(work: DraftWork): Promise<DraftOutcome> {
  return settle(() => carryOut(createDraftTasks(registry, createIdSource(randomBytes)), work))
}

export const carryOut = (tasks: object, { name, input }: DraftWork): unknown =>
  (tasks as Record<string, (input: unknown) => unknown>)[name]?.(input)

function settle(run: () => unknown): DraftOutcome {
  try {
    return { value: run() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, fields, details } = error
    return { refused: { code, message, fields, details } }
  }
}
