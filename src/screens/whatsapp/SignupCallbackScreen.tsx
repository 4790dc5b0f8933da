import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { finishSignup } from '../../../server/contracts/whatsappSignup'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { PageTitle } from '../../ui/PageTitle'

/** /oauth/whatsapp/callback: where Meta sends people back to, who then choose which number is connected. */
export function SignupCallbackScreen() {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const [, pgid, cgid] = /^([a-z0-9]{16})\.([a-z0-9]{16})\./.exec(search.get('state') ?? '') ?? []
  const back = pgid && cgid ? `/projects/${pgid}/chatbots/${cgid}/settings/whatsapp` : '/'
  const begun = useRef(false)
  useEffect(() => {
    // Meta's answer can be used once
    if (begun.current) return
    begun.current = true
    const [state, code] = [search.get('state'), search.get('code')]
    if (state === null || !pgid || !cgid) return setProblem(t('callback.incomplete'))
    if (code === null) {
      notify.neutral(t('callback.denied'))
      return void navigate(back, { replace: true })
    }
    callRoute(finishSignup, { params: { pgid, cgid }, body: { state, code } }).then(
      (shared) => void navigate(back, { replace: true, state: { shared } }),
      (thrown: unknown) => setProblem(failureText(thrown, common('errors.message'))),
    )
  }, [search, pgid, cgid, back, navigate, t, common])
  return (
    <>
      {problem !== null && <PageTitle>{t('callback.title')}</PageTitle>}
      {problem === null ? (
        <>
          <PageHeader title={t('callback.title')} description={t('callback.waiting')} />
          <div role="status" aria-label={t('callback.title')}>
            <LoadingState rows={2} height={56} />
          </div>
        </>
      ) : (
        <ErrorCard
          screen
          title={t('callback.failed')}
          message={problem}
          action={{ label: t('callback.back'), onClick: () => void navigate(back, { replace: true }) }}
        />
      )}
    </>
  )
}
