import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { mergeInbox, separateInbox } from '../../../../server/contracts/inboxMerges'
import { callRoute } from '../../../api/client'
import { failureText } from '../../../api/failure'
import { refreshInbox } from '../../../api/inbox'
import { notify } from '../../../ui/notify'

/** Makes conversations one, and several again. */
export function useMerging(pgid: string, conversation: string) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const onSettled = () => void refreshInbox(client, pgid)
  const merge = useMutation({
    mutationFn: (conversations: string[]) =>
      callRoute(mergeInbox, { params: { pgid, conversation }, body: { conversations } }),
    onSettled,
  })
  const separate = useMutation({
    mutationFn: (merged: string) => callRoute(separateInbox, { params: { pgid, conversation: merged } }),
    onSuccess: () => notify.success(t('merge.undone')),
    onError: (error) => notify.error(failureText(error, t('failed'))),
    onSettled,
  })
  return { merge, separate }
}
