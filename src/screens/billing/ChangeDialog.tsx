import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ChangePreview } from '../../../server/contracts/subscription'
import { failureText } from '../../api/failure'
import { type PaidChange, previewQuery, useSubscriptionChanges } from '../../api/subscription'
import { formatDate, formatList, formatMoney } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import styles from './subscription.module.css'
import usage from './usage.module.css'

/** Says what a change of the subscription costs and when it comes, before anybody confirms it. */
export function ChangeDialog({ change, title, onClose }: { change: PaidChange; title: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Preview change={change} onClose={onClose} />
    </Modal>
  )
}

function Preview({ change: wanted, onClose }: { change: PaidChange; onClose: () => void }) {
  const { t } = useTranslation('billing')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { data, error } = useQuery(previewQuery(pgid, wanted))
  const { change } = useSubscriptionChanges(pgid)
  const failure = error ?? change.error
  const waits = change.data?.subscription?.waits ? change.data.subscription.payment_url : undefined
  const confirm = ({ at, seen, when }: ChangePreview) =>
    change.mutateAsync({ ...wanted, at, seen }).then(
      ({ subscription }) => {
        if (subscription?.waits) return
        // what led here may be gone by now, since the plan is another one
        notify.success(t(when === 'now' ? 'change.done' : 'change.planned'))
        onClose()
      },
      () => undefined, // shown by the dialog
    )
  if (waits !== undefined)
    return (
      <>
        <ModalText>{t('change.waits')}</ModalText>
        <ModalActions>
          <Button onClick={onClose}>{common('actions.close')}</Button>
          {waits !== null && <PayLink url={waits} />}
        </ModalActions>
      </>
    )
  return (
    <>
      {failure && (
        <p role="alert" className={styles.problem}>
          {failureText(failure, common('errors.message'))}
        </p>
      )}
      {!data ? !error && <LoadingState rows={2} height={48} /> : <Costs preview={data} />}
      {data && <Over over={data.over} />}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        {data && (
          <Button design="primary" loading={change.isPending} onClick={() => void confirm(data)}>
            {data.when === 'later'
              ? t('change.plan')
              : data.due > 0
                ? t('change.pay', { amount: formatMoney(data.due, data.currency) })
                : t('change.confirm')}
          </Button>
        )}
      </ModalActions>
    </>
  )
}

/** Where a payment is made that needs the person: Stripe's page of the invoice. */
export function PayLink({ url }: { url: string }) {
  const { t } = useTranslation('billing')
  return (
    <Button design="primary" onClick={() => window.location.assign(url)}>
      {t('payment.pay')}
    </Button>
  )
}

/** What can only be read after the change, by name. */
function Over({ over }: Pick<ChangePreview, 'over'>) {
  const { t } = useTranslation('billing')
  if (over.length === 0) return null
  return (
    <>
      <ModalText>{t('stay.preview')}</ModalText>
      <ul className={styles.over}>
        {over.map(({ limit, names }) => (
          <li key={limit}>{t(`stay.previewed.${limit}`, { names: formatList(names) })}</li>
        ))}
      </ul>
      <p className={usage.hint}>{t('stay.previewHint')}</p>
    </>
  )
}

function Costs({ preview }: { preview: ChangePreview }) {
  const { when, due, credit, lines, next, currency, after } = preview
  const { t } = useTranslation('billing')
  const money = (cents: number) => formatMoney(cents, currency)
  const per = t(after.interval === 'month' ? 'plans.aMonth' : 'plans.aYear', { price: money(next.cents) })
  // what a code takes off, taxes, and what was left of earlier changes: else the lines would not sum to what is paid
  const rest = [
    { text: t('change.discount'), cents: -preview.discount },
    { text: t('change.tax'), cents: preview.tax },
    { text: t('change.balance'), cents: preview.balance },
  ].filter(({ cents }) => cents !== 0)
  if (when === 'later') return <ModalText>{t('change.later', { date: formatDate(next.at), price: per })}</ModalText>
  return (
    <>
      <ModalText>{t(due > 0 ? 'change.now' : 'change.nowFree')}</ModalText>
      <table className={usage.table}>
        <thead>
          <tr>
            <th scope="col">{t('change.what')}</th>
            <th scope="col">{t('change.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {[...lines, ...rest].map(({ text, cents }) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              <td>{money(cents)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('change.due')}</th>
            <td>
              <strong>{money(due)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
      {credit > 0 && <p className={usage.hint}>{t('change.credit', { amount: money(credit) })}</p>}
      <p className={usage.hint}>{t('change.next', { date: formatDate(next.at), price: per })}</p>
    </>
  )
}
