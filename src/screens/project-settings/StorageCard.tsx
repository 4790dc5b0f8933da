import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Housekeeping, housekeepingSchema } from '../../../server/contracts/housekeeping'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { storageQuery, useSaveHousekeeping } from '../../api/housekeeping'
import { fieldErrors } from '../../api/validate'
import { formatBytes, formatNumber } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'
import styles from './storage.module.css'

/** What the project keeps and how large it is, and after how many days traces are deleted. */
export function StorageCard({ pgid }: { pgid: string }) {
  const { t } = useTranslation('storage')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(storageQuery(pgid))
  if (data) return <Form key={JSON.stringify(data.rules)} pgid={pgid} {...data} />
  return (
    <Card title={t('title')} description={t('description')}>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={3} height={28} />
      )}
    </Card>
  )
}

type Data = Awaited<ReturnType<NonNullable<ReturnType<typeof storageQuery>['queryFn']>>>
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const fields = ['tests_after_days', 'steps_after_days', 'mails_after_days', 'versions_kept'] as const

function Form({ pgid, kept, rules }: Data & { pgid: string }) {
  const { t } = useTranslation('storage')
  const { t: common } = useTranslation()
  const mayChange = useCan('project.update')
  const [draft, setDraft] = useState<Housekeeping>(rules)
  const save = useSaveHousekeeping(pgid)
  const [asking, setAsking] = useState(false)
  const wrong: Readonly<Record<string, string>> = fieldErrors(housekeepingSchema, draft)
  const changed = JSON.stringify(draft) !== JSON.stringify(rules)
  const isWrong = Object.keys(wrong).length > 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!changed || isWrong) return
    if (fields.some((field) => draft[field] !== null && draft[field] !== rules[field])) setAsking(true)
    else keep()
  }
  const keep = () => save.mutate(draft, { onSuccess: () => notify.success(t('saved')) })
  const problem = save.error ? failureText(save.error, common('errors.message')) : undefined
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Card
          title={t('title')}
          description={t('description')}
          footer={
            mayChange && (
              <Button type="submit" design="primary" disabled={!changed || isWrong} loading={save.isPending}>
                {common('actions.save')}
              </Button>
            )
          }
        >
          <table className={styles.kept}>
            <thead>
              <tr>
                <th scope="col">{t('what')}</th>
                <th scope="col">{t('rows')}</th>
                <th scope="col">{t('size')}</th>
              </tr>
            </thead>
            <tbody>
              {kept.map(({ kind, rows, bytes }) => (
                <tr key={kind}>
                  <th scope="row">{t(`kinds.${kind}`)}</th>
                  <td>{formatNumber(rows)}</td>
                  <td>{rows === 0 ? '–' : formatBytes(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className={styles.fields}>
            {fields.map((field) => (
              <TextField
                key={field}
                type="number"
                label={t(`after.${field}`)}
                description={t(`hints.${field}`)}
                placeholder={t('never')}
                value={draft[field] ?? ''}
                readOnly={!mayChange}
                error={wrong[field]}
                onChange={({ currentTarget: { value } }) => setDraft({ ...draft, [field]: numberOf(value) })}
              />
            ))}
          </div>
          {problem && !asking && (
            <p role="alert" className={styles.problem}>
              {problem}
            </p>
          )}
        </Card>
      </form>
      {/* outside of the form: a dialog's own form would submit this one */}
      <ConfirmDialog
        opened={asking}
        danger
        title={t('ask.title')}
        message={t('ask.message')}
        confirm={t('ask.confirm')}
        loading={save.isPending}
        error={problem}
        onConfirm={keep}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
