import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type InboxSetup, setAway } from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { refreshSetup } from '../../api/inbox'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'

/** Whether one is given new conversations. */
export function AwaySwitch({ setup }: { setup: InboxSetup }) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const client = useQueryClient()
  const me = setup.members.find(({ gid }) => gid === setup.me)
  const change = useMutation({
    mutationFn: (away: boolean) => callRoute(setAway, { params: { pgid }, body: { away } }),
    onError: (error) => notify.error(failureText(error, t('failed'))),
    onSettled: () => refreshSetup(client, pgid),
  })
  if (!me) return null
  const isAway = change.isPending ? change.variables : me.away
  return (
    <div className={styles.awaySwitch}>
      <Switch
        label={t(isAway ? 'away.away' : 'away.available')}
        description={t(isAway ? 'away.awayHint' : 'away.availableHint')}
        checked={!isAway}
        onChange={(event) => change.mutate(!event.currentTarget.checked)}
      />
    </div>
  )
}
