import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAdminChanges, useOperatorNotice } from '../../api/admin'
import { fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import styles from './admin.module.css'

const MOST = 500

/** What everybody who is logged in is told above each screen. */
export function AnnouncementCard() {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const present = useOperatorNotice()?.announcement
  const { announce } = useAdminChanges()
  const [text, setText] = useState(present?.text ?? '')
  const [warns, setWarns] = useState(present?.warns ?? false)
  const say = (said: string, done: string) =>
    announce.mutate(
      { text: said, warns },
      {
        onSuccess: () => {
          setText(said)
          notify.success(done)
        },
      },
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') say(text.trim(), t('announcement.shown'))
  }
  return (
    <Card title={t('announcement.title')} description={t('announcement.description')}>
      <form className={styles.form} onSubmit={submit}>
        <TextArea
          label={t('announcement.text')}
          maxLength={MOST}
          value={text}
          error={announce.error ? fieldOr(announce.error, 'text', common('errors.message')) : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Switch
          label={t('announcement.warns')}
          checked={warns}
          onChange={(event) => setWarns(event.currentTarget.checked)}
        />
        <div className={styles.buttons}>
          <Button
            type="submit"
            design="primary"
            disabled={text.trim() === '' || text.length > MOST}
            loading={announce.isPending}
          >
            {t('announcement.show')}
          </Button>
          {present && <Button onClick={() => say('', t('announcement.removed'))}>{t('announcement.remove')}</Button>}
        </div>
      </form>
    </Card>
  )
}
