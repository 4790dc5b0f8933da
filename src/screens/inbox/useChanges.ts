import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ConversationChange, changeConversations, MOST_CHANGED } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { failureText, fieldsOf } from '../../api/failure'
import { refreshConversation, refreshLists } from '../../api/inbox'
import { notify } from '../../ui/notify'

/** Changes conversations, and shows what became of it. */
export function useChanges(pgid: string) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ conversations, change }: { conversations: string[]; change: ConversationChange }) => {
      const failed: { conversation: string; reason: string }[] = []
      for (let at = 0; at < conversations.length; at += MOST_CHANGED) {
        const some = conversations.slice(at, at + MOST_CHANGED)
        const answer = await callRoute(changeConversations, { params: { pgid }, body: { conversations: some, change } })
        failed.push(...answer.failed)
      }
      return { failed }
    },
    onSuccess: ({ failed }) => {
      const [first] = failed
      if (first) notify.error(t('bulk.failed', { count: failed.length, reason: first.reason }))
    },
    onError: (error) => {
      const [field] = Object.values(fieldsOf(error))
      notify.error(field ?? failureText(error, t('failed')))
    },
    onSettled: (_answer, _error, { conversations }) => {
      void refreshLists(client, pgid)
      for (const conversation of conversations.slice(0, 3)) void refreshConversation(client, pgid, conversation)
    },
  })
}
