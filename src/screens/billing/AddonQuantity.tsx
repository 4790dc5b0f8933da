import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AddonView } from '../../../server/contracts/billing'
import type { SubscriptionView } from '../../../server/contracts/subscription'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/TextField'
import { ChangeDialog } from './ChangeDialog'
import styles from './subscription.module.css'

const MOST = 1_000

/** How many of an add-on there are, and the way to have more or fewer. */
export function AddonQuantity({ addon, subscription }: { addon: AddonView; subscription: SubscriptionView }) {
  const { t } = useTranslation('billing')
  const paid = (subscription.scheduled ?? subscription).addons.find(({ id }) => id === addon.id)?.quantity ?? 0
  const [typed, setTyped] = useState(String(paid))
  const [asked, setAsked] = useState<number | null>(null)
  const name = t(`names.${addon.name}`, { defaultValue: addon.name })
  const quantity = /^\d{1,4}$/.test(typed) ? Number(typed) : Number.NaN
  const isValid = quantity <= MOST
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isValid && quantity !== paid) setAsked(quantity)
  }
  return (
    <>
      <form className={styles.quantity} onSubmit={submit}>
        <TextField
          aria-label={t('addons.quantityOf', { name })}
          inputMode="numeric"
          value={typed}
          error={isValid ? undefined : t('addons.quantityRule')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          aria-label={t('addons.changeOf', { name })}
          disabled={!isValid || quantity === paid || subscription.cancel_at !== null}
        >
          {t('addons.change')}
        </Button>
      </form>
      {asked !== null && (
        <ChangeDialog
          change={{ addons: { [addon.id]: asked } }}
          title={t('change.title', { name: `${asked} × ${name}` })}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
