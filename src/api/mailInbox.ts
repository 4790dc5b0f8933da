import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as contract from '../../server/contracts/mailInbox'
import { callRoute } from './client'

/** Where visitors' replies to mails arrive; its password is never read back. */
export const mailInboxQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['mail-inbox', pgid],
    queryFn: ({ signal }) => callRoute(contract.readMailInbox, { params: { pgid }, signal }),
    // the mailbox is read all the time
    staleTime: 0,
  })

/** The newest mails that came in. */
export const inboundMailsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['mail-inbox', pgid, 'mails'],
    queryFn: async ({ signal }) => (await callRoute(contract.listInboundMails, { params: { pgid }, signal })).mails,
    staleTime: 0,
  })

export function useMailInbox(pgid: string) {
  const queries = useQueryClient()
  const params = { pgid }
  const onSettled = () => queries.invalidateQueries({ queryKey: mailInboxQuery(pgid).queryKey })
  const save = useMutation({
    mutationFn: (body: { settings: contract.MailInboxSettings; password?: string }) =>
      callRoute(contract.saveMailInbox, { params, body }),
    onSettled,
  })
  const test = useMutation({ mutationFn: () => callRoute(contract.testMailInbox, { params }), onSettled })
  const makeSecret = useMutation({ mutationFn: () => callRoute(contract.makeMailSecret, { params }) })
  return { save, test, makeSecret }
}
