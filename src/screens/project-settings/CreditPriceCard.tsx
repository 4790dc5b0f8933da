import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CreditPrice, creditPriceBody } from '../../../server/contracts/creditPrice'
import { creditPriceQuery, useCreditPriceChange } from '../../api/creditPrice'
import { failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { formatUnitPrice } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { TextField } from '../../ui/TextField'

/** What an AI credit costs, by which analytics say what answers cost. */
export function CreditPriceCard({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(creditPriceQuery(pgid))
  return (
    <div id="credit-price">
      {data ? (
        <Form key={JSON.stringify(data)} pgid={pgid} stored={data.credit_price} />
      ) : (
        <Card title={t('creditPrice.title')}>
          {error ? (
            <ErrorCard
              message={failureText(error, common('errors.message'))}
              action={{ label: common('actions.retry'), onClick: () => void refetch() }}
            />
          ) : (
            <LoadingState rows={1} />
          )}
        </Card>
      )}
    </div>
  )
}

function Form({ pgid, stored }: { pgid: string; stored: CreditPrice | null }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const own = stored?.own ? stored : null
  const [price, setPrice] = useState(own ? String(own.price) : '')
  const [currency, setCurrency] = useState(own?.currency ?? stored?.currency ?? 'USD')
  const change = useCreditPriceChange(pgid)
  const body = { price: price.trim() === '' ? null : Number(price), currency: currency.trim().toUpperCase() }
  const wrong: Readonly<Record<string, string>> = fieldErrors(creditPriceBody, body)
  const isWrong = Object.keys(wrong).length > 0
  const changed = body.price !== (own?.price ?? null) || (body.price !== null && body.currency !== own?.currency)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed && !isWrong) change.mutate(body, { onSuccess: () => notify.success(t('creditPrice.saved')) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('creditPrice.title')}
        description={t('creditPrice.description')}
        footer={
          <Button type="submit" design="primary" disabled={!changed || isWrong} loading={change.isPending}>
            {common('actions.save')}
          </Button>
        }
      >
        <TextField
          type="number"
          min={0}
          step="any"
          label={t('creditPrice.price')}
          description={
            stored && !stored.own
              ? t('creditPrice.byDefault', { price: formatUnitPrice(stored.price, stored.currency) })
              : undefined
          }
          placeholder={t('creditPrice.none')}
          value={price}
          error={wrong.price}
          onChange={(event) => setPrice(event.currentTarget.value)}
        />
        <TextField
          label={t('creditPrice.currency')}
          maxLength={3}
          spellCheck={false}
          value={currency}
          error={wrong.currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        {change.error && <p role="alert">{failureText(change.error, common('errors.message'))}</p>}
      </Card>
    </form>
  )
}
