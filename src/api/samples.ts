import { useMutation, useQueryClient } from '@tanstack/react-query'
import { addSamples, removeSamples } from '../../server/contracts/samples'
import { refreshAccount } from './account'
import { chatbotsQuery, deletingQuery } from './chatbots'
import { callRoute } from './client'
import { contactsKey } from './contacts'
import { refreshInbox } from './inbox'

/** Gives a project its samples, and takes them away: lists, inbox, contacts and the account follow. */
export function useSamples(pgid: string) {
  const queries = useQueryClient()
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: chatbotsQuery(pgid).queryKey })
    void queries.invalidateQueries({ queryKey: deletingQuery(pgid).queryKey })
    void queries.invalidateQueries({ queryKey: contactsKey(pgid) })
    void refreshInbox(queries, pgid)
    void refreshAccount()
  }
  const add = useMutation({ mutationFn: () => callRoute(addSamples, { params: { pgid } }), onSuccess })
  const remove = useMutation({ mutationFn: () => callRoute(removeSamples, { params: { pgid } }), onSuccess })
  return { add, remove }
}
