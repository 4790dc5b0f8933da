import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { allowOverage, MOST_OVERAGE, type OverageView } from '../../../server/contracts/subscription'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { overageQuery } from '../../api/usage'
import { formatMoney } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'
import { Meter } from './Meter'
import styles from './usage.module.css'

/** AI credits beyond the plan: how many were used, and up to which sum a month they are allowed. */
export function OverageCard() {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  const { data } = useQuery(overageQuery(pgid))
  // where nobody can buy any there is nothing to say
  if (!data || (!data.possible && data.cap_cents === null && data.used === 0)) return null
  const each = formatMoney(data.cents_each, data.currency)
  return (
    <Card title={t('overage.title')} description={t('overage.description', { each })}>
      <div className={styles.parts}>
        {(data.credits > 0 || data.used > 0) && (
          <div>
            <Meter label={t('overage.used')} max={data.credits} used={data.used} />
            <p className={styles.hint}>{t('overage.cost', { sum: formatMoney(data.cents, data.currency) })}</p>
          </div>
        )}
        {data.possible ? (
          <CapForm key={data.cap_cents} pgid={pgid} overage={data} />
        ) : (
          <p className={styles.hint}>{t('overage.monthly')}</p>
        )}
      </div>
    </Card>
  )
}

function CapForm({ pgid, overage }: { pgid: string; overage: OverageView }) {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { cap_cents: cap, currency } = overage
  const may = useCan('billing.checkout')
  const queries = useQueryClient()
  const [sum, setSum] = useState(cap === null ? '' : String(cap / 100))
  const save = useMutation({
    mutationFn: (cents: number | null) => callRoute(allowOverage, { params: { pgid }, body: { cap_cents: cents } }),
    onSuccess: (answer) => {
      queries.setQueryData(overageQuery(pgid).queryKey, answer)
      notify.success(t(answer.cap_cents === null ? 'overage.stopped' : 'overage.saved'))
    },
  })
  if (!may)
    return (
      <p className={styles.hint}>
        {cap === null ? t('overage.off') : t('overage.upTo', { sum: formatMoney(cap, currency) })}
      </p>
    )
  const cents = Math.round(Number(sum.replace(',', '.')) * 100)
  const isSum = sum.trim() !== '' && cents >= 100 && cents <= MOST_OVERAGE
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isSum && cents !== cap) save.mutate(cents)
  }
  const refused = save.error instanceof ApiFailure ? save.error.fields.cap_cents : undefined
  return (
    <form onSubmit={submit} className={styles.cap}>
      <TextField
        label={t('overage.cap', { currency: currency.toUpperCase() })}
        description={t('overage.capHelp')}
        inputMode="decimal"
        value={sum}
        error={refused ?? (sum.trim() === '' || isSum ? undefined : t('overage.rule'))}
        onChange={(event) => setSum(event.currentTarget.value)}
      />
      <div className={styles.capActions}>
        <Button type="submit" design="primary" disabled={!isSum || cents === cap} loading={save.isPending}>
          {t(cap === null ? 'overage.allow' : 'overage.change')}
        </Button>
        {cap !== null && (
          <Button loading={save.isPending} onClick={() => save.mutate(null)}>
            {t('overage.stop')}
          </Button>
        )}
      </div>
      {save.error && !refused && (
        <p role="alert" className={styles.problem}>
          {failureText(save.error, common('errors.message'))}
        </p>
      )}
    </form>
  )
}
