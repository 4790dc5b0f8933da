import { EngineError } from '../../../../engine/errors'
import { remapFlows } from '../../../../engine/flow/otherFlows'
import { type ChatbotFlows, type Flow, flowCaps } from '../../../../engine/flow/schema'
import { importFlow } from '../../../../engine/interop/importFlow'
import type { ImportResult } from '../../../contracts/flows'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'

/**
 * Parses the text of a flow file, ours or another product's.
 * @throws ApiError `too_large`; `invalid` at the field `source`, naming the place in the file
 */
export function readFlowFile(
  source: string,
  { registry, ids }: Pick<ServerContext, 'registry' | 'ids'>,
): { result: ImportResult; flows: ChatbotFlows } {
  if (Buffer.byteLength(source) > flowCaps.bytes) {
    throw new ApiError('too_large', {
      message: `The file is larger than ${flowCaps.bytes / 1e6} MB. Split the flow into several files.`,
    })
  }
  const { flow, others, report } = refusing('source', () => importFlow(source, registry, ids))
  const all = [flow, ...others.map((other) => other.flow)]
  const sum = (count: (one: Flow) => number) => all.reduce((total, one) => total + count(one), 0)
  const result = { report, flows: all.length, groups: sum(({ groups }) => groups.length), blocks: sum(countBlocks) }
  return { result, flows: withNewIds({ main: flow, others }, { registry, ids }) }
}

/** The result of an import with additional notes. */
export const withNotes = (result: ImportResult, notes: ImportResult['report']['notes']): ImportResult => ({
  ...result,
  report: { ...result.report, notes: [...notes, ...result.report.notes] },
})

/** A chatbot's flows with new ids. */
export function withNewIds(
  flows: ChatbotFlows,
  { registry, ids }: Pick<ServerContext, 'registry' | 'ids'>,
): ChatbotFlows {
  return remapFlows(flows, registry, new Map(flows.others.map(({ id }) => [id, ids()])))
}

/** Converts the engine's errors into an ApiError at a field: their text names the place. */
export function refusing<Result>(field: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ApiError('invalid', { message: error.message, fields: { [field]: error.message }, cause: error })
  }
}

export const countBlocks = (flow: Flow) => flow.groups.reduce((sum, group) => sum + group.blocks.length, 0)
