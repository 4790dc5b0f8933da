import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InboxTeam } from '../../../server/contracts/inbox'
import { changeKeptView, type KeptView, keepView, VIEW_NAME_CAP } from '../../../server/contracts/inboxViews'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText, fieldsOf } from '../../api/failure'
import { refreshKeptViews } from '../../api/inboxViews'
import { NameDialog } from '../../ui/NameDialog'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { keptOf, useInboxPlace } from './inboxPlace'

const ME = 'me'

interface KeepViewDialogProps {
  opened: boolean
  /** the one that is changed; left out: what the list shows is kept */
  view?: KeptView
  teams: readonly InboxTeam[]
  onClose: () => void
}

/** Asks for the name of a kept view, and for whom it is. */
export function KeepViewDialog({ opened, view, teams, onClose }: KeepViewDialogProps) {
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const { pgid } = place
  const client = useQueryClient()
  const mayShare = useCan('conversations.update')
  const [audience, setAudience] = useState(view?.shared_with ?? ME)
  const keep = useMutation({
    mutationFn: async (name: string) => {
      const body = { name, shared_with: audience === ME ? null : audience }
      if (view) await callRoute(changeKeptView, { params: { pgid, gid: view.gid }, body })
      else await callRoute(keepView, { params: { pgid }, body: { ...body, ...keptOf(place, Date.now()) } })
    },
    onSuccess: () => {
      setAudience(view ? audience : ME)
      onClose()
      return refreshKeptViews(client, pgid)
    },
    onError: (error) => {
      if (!fieldsOf(error).name) notify.error(failureText(error, t('failed')))
    },
  })
  return (
    <NameDialog
      opened={opened}
      title={t(view ? 'kept.change' : 'kept.keep')}
      label={t('kept.name')}
      submit={t(view ? 'kept.save' : 'kept.submit')}
      initial={view?.name ?? ''}
      maxLength={VIEW_NAME_CAP}
      loading={keep.isPending}
      error={fieldsOf(keep.error).name}
      onSubmit={(name) => keep.mutate(name)}
      onClose={onClose}
    >
      {mayShare && (
        <Select
          mt="sm"
          label={t('kept.for')}
          allowDeselect={false}
          data={[
            { value: ME, label: t('kept.forMe') },
            { value: 'everybody', label: t('kept.forEverybody') },
            ...teams.map(({ gid, name }) => ({ value: gid, label: t('kept.forTeam', { name }) })),
          ]}
          value={audience}
          onChange={(value) => value && setAudience(value)}
        />
      )}
    </NameDialog>
  )
}
