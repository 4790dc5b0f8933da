import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Projection } from '../../../engine/document/commands'
import type { Flow } from '../../../engine/flow/schema'
import { exportFlow } from '../../../server/contracts/flows'
import { callRoute } from '../../api/client'
import { useEditor, useKindTexts } from '../../canvas/context'
import { createFlowIndex, type FlowIndex } from '../../canvas/finder/flowIndex'
import { useBuilder } from './builderContext'

interface OtherFlow {
  flow: { gid: string; title: string }
  index: FlowIndex
}

/**
 * The chatbot's other flows for searching: fetched on the first search, then cached for a while.
 *
 * @param wanted false: nothing is fetched
 */
export function useOtherFlows(wanted: boolean): readonly OtherFlow[] {
  const { pgid, chatbot, fid, flows } = useBuilder()
  const { registry } = useEditor()
  const kinds = useKindTexts()
  const others = useMemo(() => flows.filter(({ gid }) => gid !== fid), [flows, fid])
  const files = useQueries({
    queries: others.map(({ gid }) => ({
      queryKey: ['flow-texts', pgid, chatbot.gid, gid],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callRoute(exportFlow, { params: { pgid, cgid: chatbot.gid, fid: gid }, signal }),
      enabled: wanted,
      staleTime: 30_000,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(
    () =>
      others.flatMap((flow, i) => {
        const file = files[i]
        if (!file) return []
        const projection = projectionOf(file)
        return [{ flow, index: createFlowIndex(() => projection, registry, kinds.title) }]
      }),
    [others, files, registry, kinds],
  )
}

/** A flow in the form that the index reads. */
function projectionOf({ groups, variables }: Flow): Projection {
  return {
    groups: new Map(
      groups.map(({ blocks, ...group }) => [group.id, { ...group, blockIds: blocks.map(({ id }) => id) }]),
    ),
    blocks: new Map(
      groups.flatMap((group) => group.blocks.map((block) => [block.id, { ...block, groupId: group.id }] as const)),
    ),
    edges: new Map(),
    variables,
  }
}
