import { CircleAlert, CircleCheck } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SiteCheck } from '../../../server/contracts/embed'
import { useEmbedChanges } from '../../api/embed'
import { fieldOr } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { TextField } from '../../ui/TextField'
import styles from './embed.module.css'

/** Looks whether the line stands on a page of one's own. */
export function CheckCard({ pgid, cgid }: { pgid: string; cgid: string }) {
  const { t } = useTranslation('embed')
  const { t: common } = useTranslation()
  const [url, setUrl] = useState('')
  const { check } = useEmbedChanges({ pgid, cgid })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (url.trim()) check.mutate(url.trim())
  }
  return (
    <Card title={t('check.title')} description={t('check.description')}>
      <form className={styles.check} onSubmit={submit}>
        <TextField
          label={t('check.url')}
          placeholder="https://www.example.com"
          value={url}
          maxLength={2048}
          spellCheck={false}
          error={check.error ? fieldOr(check.error, 'url', common('errors.message')) : undefined}
          onChange={(event) => {
            check.reset()
            setUrl(event.currentTarget.value)
          }}
        />
        <Button type="submit" loading={check.isPending} disabled={!url.trim()}>
          {t('check.submit')}
        </Button>
      </form>
      <div role="status">{check.data && <Outcome {...check.data} />}</div>
    </Card>
  )
}

function Outcome({ found, problems, url }: SiteCheck) {
  const { t } = useTranslation('embed')
  if (found && problems.length === 0) {
    return (
      <p className={styles.outcome} data-good>
        <CircleCheck size={16} aria-hidden />
        <span>{t('check.found', { url })}</span>
      </p>
    )
  }
  return problems.map(({ problem, detail }) => (
    <p key={problem} className={styles.outcome}>
      <CircleAlert size={16} aria-hidden />
      <span>{t(`check.problems.${problem}`, { detail, url })}</span>
    </p>
  ))
}
