import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { versionQuery } from '../../api/versions'
import { useBuilder } from './builderContext'
import { compareFlows, sumChanges } from './compare/comparison'

/** The differences between the stored draft and the published version; null until loaded. */
export function useDraftChanges(published: number | null, enabled = true) {
  const { pgid, chatbot, whenSaved } = useBuilder()
  const draft = useQuery({
    ...versionQuery(pgid, chatbot.gid, 'draft', whenSaved),
    enabled: enabled && published !== null,
  })
  const version = useQuery({
    ...versionQuery(pgid, chatbot.gid, published ?? 'draft', whenSaved),
    enabled: enabled && published !== null,
  })
  return useMemo(
    () =>
      published !== null && draft.data && version.data ? sumChanges(compareFlows(version.data, draft.data)) : null,
    [published, draft.data, version.data],
  )
}
