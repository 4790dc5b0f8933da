import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { type VendorSlug, vendorSlugs } from '../../../server/contracts/integrations'
import { failureText } from '../../api/failure'
import { finishConnecting } from '../../api/integrations'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageTitle } from '../../ui/PageTitle'

interface Problem {
  message: string
  /** where the person came from, as far as it is known */
  returnTo: string
}

/**
 * /oauth/cb/builder/:vendor, /oauth/:vendor/callback, /oauth/kb/:vendor/callback: where vendors send people back to.
 * Ends what they began, and takes them to where they were.
 */
export function OAuthCallbackScreen() {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const { vendor = '' } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const area = useLocation().pathname.startsWith('/oauth/kb/') ? 'knowledge' : 'builder'
  const [problem, setProblem] = useState<Problem | null>(null)
  const begun = useRef(false)
  useEffect(() => {
    // the vendor's answer can be used once
    if (begun.current) return
    begun.current = true
    const [state, code, error] = ['state', 'code', 'error'].map((name) => search.get(name) ?? undefined)
    if (!isVendor(vendor) || state === undefined || (code === undefined && error === undefined)) {
      setProblem({ message: t('callback.incomplete'), returnTo: '/' })
      return
    }
    finishConnecting({ vendor, area, state, ...(code !== undefined ? { code } : { error: error ?? '' }) }).then(
      ({ return_to, connection, problem: reason }) => {
        if (connection) {
          notify.success(t('callback.connected', { account: connection.account }))
          void navigate(return_to, { replace: true })
        } else if (reason === 'denied') {
          notify.neutral(t('callback.denied'))
          void navigate(return_to, { replace: true })
        } else setProblem({ message: reason ?? common('errors.message'), returnTo: return_to })
      },
      (thrown: unknown) => setProblem({ message: failureText(thrown, common('errors.message')), returnTo: '/' }),
    )
  }, [vendor, area, search, navigate, t, common])
  return (
    <>
      <PageTitle>{t('callback.title')}</PageTitle>
      {problem ? (
        <ErrorCard
          screen
          title={t('callback.failed')}
          message={problem.message}
          action={{ label: t('callback.back'), onClick: () => void navigate(problem.returnTo, { replace: true }) }}
        />
      ) : (
        <div role="status" aria-label={t('callback.title')}>
          <LoadingState rows={2} height={56} />
        </div>
      )}
    </>
  )
}

const isVendor = (text: string): text is VendorSlug => (vendorSlugs as readonly string[]).includes(text)
