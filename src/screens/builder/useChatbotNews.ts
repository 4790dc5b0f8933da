import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CHATBOT_TOPIC } from '../../../engine/document/syncProtocol'
import { chatbotQuery } from '../../api/chatbots'
import { flowsQuery } from '../../api/flows'
import { versionsQuery } from '../../api/versions'
import { useFlow } from '../../collab/useFlow'

/** Reloads what is not in the document when somebody else changes it: the list of flows, titles, what is published. */
export function useChatbotNews(pgid: string, cgid: string): void {
  const flow = useFlow()
  const queries = useQueryClient()
  useEffect(
    () =>
      flow.onNews(CHATBOT_TOPIC, () => {
        for (const { queryKey } of [flowsQuery(pgid, cgid), versionsQuery(pgid, cgid)])
          void queries.invalidateQueries({ queryKey })
        void queries.invalidateQueries({ queryKey: chatbotQuery(pgid, cgid).queryKey, exact: true })
      }),
    [flow, queries, pgid, cgid],
  )
}
