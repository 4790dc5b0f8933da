import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { useSubscriptionChanges } from '../../api/subscription'
import { notify } from '../../ui/notify'

/** Who comes back from Stripe's page sees at once what was bought, though Stripe may not have told of it yet. */
export function useReturnFromPaying(): void {
  const { t } = useTranslation('billing')
  const { pgid = '' } = useParams()
  const [asked, setAsked] = useSearchParams()
  const { refresh } = useSubscriptionChanges(pgid)
  const { mutate } = refresh
  const paid = asked.get('paid')
  useEffect(() => {
    if (paid === null) return
    setAsked({}, { replace: true })
    mutate(undefined, { onSuccess: ({ subscription }) => subscription?.live && notify.success(t('paid.thanks')) })
  }, [paid, setAsked, mutate, t])
}
