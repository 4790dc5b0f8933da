import { useMutation } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { unpublishFlow } from '../../server/contracts/flows'
import { refreshAccount, useAccount, useCan } from '../api/account'
import { billingPlans } from '../api/billingPlaces'
import { callRoute } from '../api/client'
import { failureText } from '../api/failure'
import { formatList } from '../i18n/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { notify } from '../ui/notify'
import styles from './OverLimitBanner.module.css'

/**
 * Names what is over the plan's limits, so that it can only be read, and leads to what mends it: one's own seat, the
 * open chatbot, or whatever there is in the project.
 */
export function OverLimitBanner() {
  const { t } = useTranslation()
  const { user } = useAccount()
  const { pathname } = useLocation()
  const { chatbot, seat_over: mine, over_limit: over, subscription, project } = user
  const isOfChatbot = chatbot?.over_limit === true
  const chooses = useCan('billing.limits')
  const place = `/projects/${project?.gid}/settings/billing/usage`
  // there, a card says the same and more
  if (pathname === place || (!mine && (chatbot ? !isOfChatbot : over.length === 0))) return null
  const plan = subscription.name
  const max = over.find(({ limit }) => limit === 'chatbots')?.max ?? 0
  return (
    <section className={styles.banner} data-over-limit aria-label={t('overLimit.label')}>
      <Lock size={15} aria-hidden />
      <p>
        {mine
          ? t('overLimit.seat', { plan })
          : isOfChatbot
            ? t('overLimit.chatbot', { plan, name: chatbot.name, count: max })
            : t('overLimit.project', {
                plan,
                what: over.map(({ limit, names }) => t(`overLimit.${limit}`, { names: formatList(names) })).join(' '),
              })}
      </p>
      {isOfChatbot && chatbot.published && <Unpublish />}
      {chooses && (
        <Button size="s" to={place}>
          {t('overLimit.choose')}
        </Button>
      )}
      <Upgrade />
    </section>
  )
}

function Upgrade() {
  const { t } = useTranslation()
  const { billing, user } = useAccount()
  const mayPay = useCan('billing.checkout')
  if (!billing || !mayPay || !user.project) return null
  return (
    <Button size="s" design="primary" to={billingPlans(user.project.gid, user.chatbot?.gid)}>
      {t('overLimit.upgrade')}
    </Button>
  )
}

/** Takes the open chatbot offline: the one change that is left of it besides deleting it. */
function Unpublish() {
  const { t } = useTranslation()
  const { project, chatbot } = useAccount().user
  const [asking, setAsking] = useState(false)
  const may = useCan('builder.publish')
  const params = { pgid: project?.gid ?? '', cgid: chatbot?.gid ?? '', fid: chatbot?.fid ?? '' }
  const unpublish = useMutation({
    mutationFn: () => callRoute(unpublishFlow, { params }),
    onSuccess: () => {
      setAsking(false)
      notify.success(t('overLimit.unpublished'))
      return refreshAccount()
    },
  })
  if (!may) return null
  return (
    <>
      <Button size="s" onClick={() => setAsking(true)}>
        {t('overLimit.unpublish')}
      </Button>
      <ConfirmDialog
        opened={asking}
        danger
        title={t('overLimit.unpublish')}
        message={t('overLimit.unpublishQuestion')}
        confirm={t('overLimit.unpublish')}
        loading={unpublish.isPending}
        error={unpublish.error ? failureText(unpublish.error, t('errors.message')) : undefined}
        onConfirm={() => unpublish.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
