import { Component, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { useAccountStore } from '../api/account'
import { ApiFailure } from '../api/failure'
import { isNoAnswer, serverWatch } from '../api/serverWatch'
import { Button } from '../ui/Button'
import { Frame } from './Shell'
import { NotFound, StatusScreen, Unauthorized } from './StatusScreens'

/**
 * What a page that failed shows: a status (500 unless known) and a message (SPEC.md 2). Beside the navigation, where there is one to
 * lead elsewhere; what failed since the server was away is read again when it is back.
 */
export function ErrorPage() {
  return (
    <LastResort>
      <Failure />
    </LastResort>
  )
}

function Failure() {
  const { t } = useTranslation()
  const error = useRouteError()
  const inside = useAccountStore((state) => state.account !== null)
  const status = statusOf(error)
  const again = useAgainOnReturn(error)
  if (status === 404) return <NotFound />
  if (status === 403) return <Unauthorized />
  const message = error instanceof ApiFailure ? error.message : undefined
  const code = error instanceof ApiFailure ? error.code : undefined
  const screen = (
    <StatusScreen
      status={isNoAnswer(error) ? undefined : (status ?? 500)}
      title={t('screens.error')}
      inside={inside}
      message={message ?? t('errors.message')}
      action={
        <>
          <Button onClick={again}>{t('actions.retry')}</Button>
          {code === '2007' ? (
            <Button to="/login">{t('screens.login')}</Button>
          ) : (
            <Button to="/">{t('screens.home')}</Button>
          )}
        </>
      }
    />
  )
  return inside ? <Frame>{screen}</Frame> : screen
}

/** What reads the page again: where the server was away in place and by itself, without a reload that ends on the browser's own page. */
function useAgainOnReturn(error: unknown): () => void {
  const { revalidate } = useRevalidator()
  const unanswered = isNoAnswer(error)
  useEffect(() => {
    if (!unanswered) return
    const again = () => void revalidate()
    // it may have come back while the parts of the screen were waited for
    if (!serverWatch.store.getState().away) again()
    return serverWatch.onReturn(again)
  }, [unanswered, revalidate])
  return unanswered ? () => void revalidate() : () => window.location.reload()
}

function statusOf(error: unknown): number | undefined {
  if (isRouteErrorResponse(error) || error instanceof ApiFailure) return error.status
  return undefined
}

/** When showing the error page fails as well. The text stands here because the texts may be what failed. */
class LastResort extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <p role="alert">{NESTED_FAILURE}</p> : this.props.children
  }
}

const NESTED_FAILURE = 'An error occurred while showing the error page'
