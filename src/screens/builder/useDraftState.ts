import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { chatbotQuery } from '../../api/chatbots'
import { useFlow } from '../../collab/useFlow'
import { whenSaved } from './whenSaved'

/** Reloads whether the draft equals the published version, after an edit is stored. */
export function useDraftState(pgid: string, { gid, published, draft_changed }: Chatbot): void {
  const flow = useFlow()
  const queries = useQueryClient()
  const watches = published !== null && !draft_changed
  useEffect(() => {
    if (!watches) return
    let asking = false
    const look = () => {
      if (asking || !flow.store.getState().ready) return
      asking = true
      // the status changes after the edit
      queueMicrotask(async () => {
        await whenSaved(flow.store)
        await queries.invalidateQueries({ queryKey: chatbotQuery(pgid, gid).queryKey, exact: true })
        asking = false
      })
    }
    flow.document.doc.on('update', look)
    return () => flow.document.doc.off('update', look)
  }, [watches, flow, queries, pgid, gid])
}
