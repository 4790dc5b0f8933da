import { EngineError } from '../../../engine/errors'
import { type Flow, flowCaps } from '../../../engine/flow/schema'
import { importFlow } from '../../../engine/interop/importFlow'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { ImportResult } from './contract'

/**
 * Reads the text of a flow file, ours or another product's.
 * @throws ApiError `too_large`; `invalid` naming the place in the file, for the field `source`
 */
export function readFlowFile(
  source: string,
  { registry, ids }: Pick<ServerContext, 'registry' | 'ids'>,
): ImportResult & { flow: Flow } {
  if (Buffer.byteLength(source) > flowCaps.bytes) {
    throw new ApiError('too_large', {
      message: `The file is larger than ${flowCaps.bytes / 1e6} MB. Split the flow into several files.`,
    })
  }
  const { flow, report } = refusing('source', () => importFlow(source, registry, ids))
  return { flow, report, groups: flow.groups.length, blocks: countBlocks(flow) }
}

/** What the engine refuses is the caller's to mend: its text names the place. */
export function refusing<Result>(field: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new ApiError('invalid', { message: error.message, fields: { [field]: error.message }, cause: error })
  }
}

export const countBlocks = (flow: Flow) => flow.groups.reduce((sum, group) => sum + group.blocks.length, 0)
