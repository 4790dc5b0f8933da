import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotificationsChange } from '../../api/notifications'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { TextField } from '../../ui/TextField'
import { failureOf } from './failureOf'
import styles from './notificationSettings.module.css'

/** After how many minutes members are told that a visitor waits for a person. */
export function WaitingNotice({ pgid, minutes, readOnly }: { pgid: string; minutes: number; readOnly: boolean }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const change = useNotificationsChange(pgid)
  const [text, setText] = useState(String(minutes))
  return (
    <Card title={t('notices.waiting.title')} description={t('notices.waiting.description')}>
      <form
        className={styles.minutes}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({ waiting_minutes: /^\d+$/.test(text.trim()) ? Number(text) : 0 })
        }}
      >
        <TextField
          label={t('notices.waiting.label')}
          inputMode="numeric"
          maxLength={4}
          value={text}
          readOnly={readOnly}
          error={change.error ? failureOf(change.error, common('errors.message')) : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value)
            change.reset()
          }}
        />
        {!readOnly && text.trim() !== String(minutes) && (
          <Button type="submit" loading={change.isPending}>
            {t('notices.waiting.save')}
          </Button>
        )}
      </form>
    </Card>
  )
}
