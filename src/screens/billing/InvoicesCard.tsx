import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { failureText } from '../../api/failure'
import { invoicesQuery } from '../../api/subscription'
import { formatDate, formatMoney } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import usage from './usage.module.css'

/** A page of Stripe's, beside this one. */
const Outside = ({ to, label, children }: { to: string; label?: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer" aria-label={label}>
    {children}
  </a>
)

/** The latest invoices, with the way to each at Stripe. */
export function InvoicesCard() {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { data, error, refetch } = useQuery(invoicesQuery(pgid))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={1} height={160} />
  return (
    <Card title={t('invoices.title')} description={data.length === 0 ? t('invoices.empty') : t('invoices.hint')}>
      {data.length > 0 && (
        <table className={usage.table}>
          <thead>
            <tr>
              {(['number', 'date', 'amount', 'status'] as const).map((column) => (
                <th key={column} scope="col">
                  {t(`invoices.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, number, url, pdf, created_at, cents, currency, status, refunded }) => (
              <tr key={id}>
                <th scope="row">
                  {url ? <Outside to={url}>{number ?? id}</Outside> : (number ?? id)}
                  {pdf && (
                    <>
                      {' '}
                      <Outside to={pdf} label={t('invoices.pdfOf', { number: number ?? id })}>
                        {t('invoices.pdf')}
                      </Outside>
                    </>
                  )}
                </th>
                <td className={usage.number}>{formatDate(created_at)}</td>
                <td className={usage.number}>{formatMoney(cents, currency)}</td>
                <td>
                  {t(`invoices.states.${status}`)}
                  {refunded > 0 && ` (${t('invoices.refunded', { amount: formatMoney(refunded, currency) })})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
