import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiFailure, failureText } from '../../api/failure'
import { pushState, turnPushOff, turnPushOn } from '../../notifications/push'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import styles from './notificationSettings.module.css'

const queryKey = ['push-state']

/** Whether this browser shows notifications while Parley is closed. */
export function PushCard() {
  const { t } = useTranslation('notifications')
  const queries = useQueryClient()
  const { data: state } = useQuery({ queryKey, queryFn: pushState, staleTime: 0 })
  const turn = useMutation({
    mutationFn: () => (state === 'on' ? turnPushOff() : turnPushOn()),
    onSuccess: (next) => queries.setQueryData(queryKey, next),
  })
  if (!state) return null
  return (
    <Card
      title={t('push.title')}
      actions={
        (state === 'on' || state === 'off') && (
          <Button loading={turn.isPending} onClick={() => turn.mutate()}>
            {t(state === 'on' ? 'push.turnOff' : 'push.turnOn')}
          </Button>
        )
      }
    >
      <p className={styles.hint}>{t(`push.${state}`)}</p>
      {turn.error && (
        <p role="alert" className={styles.problem}>
          {turn.error instanceof ApiFailure ? failureText(turn.error, t('push.failed')) : t('push.failed')}
        </p>
      )}
    </Card>
  )
}
