import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keepView, VIEW_NAME_CAP } from '../../../server/contracts/inboxViews'
import { callRoute } from '../../api/client'
import { failureText, fieldsOf } from '../../api/failure'
import { refreshKeptViews } from '../../api/inboxViews'
import { NameDialog } from '../../ui/NameDialog'
import { notify } from '../../ui/notify'
import { keptOf, useInboxPlace } from './inboxPlace'

/** Asks for the name under which what the list shows is kept. */
export function KeepViewDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const client = useQueryClient()
  const keep = useMutation({
    mutationFn: (name: string) =>
      callRoute(keepView, { params: { pgid: place.pgid }, body: { name, ...keptOf(place, Date.now()) } }),
    onSuccess: () => {
      onClose()
      return refreshKeptViews(client, place.pgid)
    },
    onError: (error) => {
      if (!fieldsOf(error).name) notify.error(failureText(error, t('failed')))
    },
  })
  return (
    <NameDialog
      opened={opened}
      title={t('kept.keep')}
      label={t('kept.name')}
      submit={t('kept.save')}
      maxLength={VIEW_NAME_CAP}
      loading={keep.isPending}
      error={fieldsOf(keep.error).name}
      onSubmit={(name) => keep.mutate(name)}
      onClose={onClose}
    />
  )
}
