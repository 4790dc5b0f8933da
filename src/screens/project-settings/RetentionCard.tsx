import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Retention, redactable, retentionSchema } from '../../../server/contracts/privacy'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { retentionPreviewQuery, retentionQuery, useSaveRetention } from '../../api/privacy'
import { fieldErrors } from '../../api/validate'
import { formatMoment } from '../../i18n/format'
import { UpgradeBanner } from '../../projects/UpgradeBanner'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { MultiSelect } from '../../ui/MultiSelect'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'
import styles from './retention.module.css'

/** How long visitors' words are kept; what the rules would do now, and what they did. */
export function RetentionCard({ pgid }: { pgid: string }) {
  const { data } = useQuery(retentionQuery(pgid))
  return data ? <Rules key={JSON.stringify(data.rules)} pgid={pgid} {...data} /> : null
}

type Data = Awaited<ReturnType<NonNullable<ReturnType<typeof retentionQuery>['queryFn']>>>
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

function Rules({ pgid, rules, runs, erasures }: Data & { pgid: string }) {
  const { t } = useTranslation('retention')
  const { t: common } = useTranslation()
  const onPlan = useAccount().user.subscription.features.retention === true
  const [draft, setDraft] = useState<Retention>(rules)
  const save = useSaveRetention(pgid)
  const wrong: Readonly<Record<string, string>> = fieldErrors(retentionSchema, draft)
  const isWrong = Object.keys(wrong).length > 0
  const changed = JSON.stringify(draft) !== JSON.stringify(rules)
  const { data: preview } = useQuery({ ...retentionPreviewQuery(pgid, draft), enabled: changed && !isWrong })
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (!isWrong) save.mutate(draft, { onSuccess: () => notify.success(t('saved')) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('title')}
        description={t('description')}
        footer={
          onPlan && (
            <Button type="submit" design="primary" disabled={!changed || isWrong} loading={save.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <div className={styles.fields}>
          {!onPlan && <UpgradeBanner />}
          <TextField
            type="number"
            label={t('deleteAfter')}
            description={t('deleteHint')}
            placeholder={t('never')}
            value={draft.delete_after_days ?? ''}
            readOnly={!onPlan}
            error={wrong.delete_after_days}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, delete_after_days: numberOf(value) })}
          />
          <TextField
            type="number"
            label={t('redactAfter')}
            description={t('redactHint')}
            placeholder={t('never')}
            value={draft.redact_after_days ?? ''}
            readOnly={!onPlan}
            error={wrong.redact_after_days}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, redact_after_days: numberOf(value) })}
          />
          <MultiSelect
            label={t('what')}
            readOnly={!onPlan}
            data={redactable.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            value={draft.redact}
            onChange={(values) => setDraft({ ...draft, redact: redactable.filter((kind) => values.includes(kind)) })}
          />
        </div>
        <p role="status" className={styles.preview}>
          {changed && preview ? t('preview', preview) : null}
        </p>
        {save.error && (
          <p role="alert" className={styles.problem}>
            {failureText(save.error, common('errors.message'))}
          </p>
        )}
        {(runs.length > 0 || erasures.length > 0) && (
          <details className={styles.log}>
            <summary>{t('log')}</summary>
            <ul>
              {runs.map(({ at, deleted, redacted }) => (
                <li key={at}>
                  {formatMoment(at)}: {t('did', { deleted, redacted })}
                </li>
              ))}
              {erasures.map(({ at, by, conversations, leads }) => (
                <li key={`erased ${at}`}>
                  {formatMoment(at)}: {t('erased', { by: by ?? '–', conversations, leads })}
                </li>
              ))}
            </ul>
          </details>
        )}
      </Card>
    </form>
  )
}
