import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CHATBOT_TOPIC } from '../../../engine/document/syncProtocol'
import { chatbotQuery } from '../../api/chatbots'
import { flowsQuery } from '../../api/flows'
import { versionsQuery } from '../../api/versions'
import { useFlow } from '../../collab/useFlow'

/**
 * Reads anew what is not in the document when somebody else has changed it: the flows' names, which there are, what is
 * published.
 */
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
