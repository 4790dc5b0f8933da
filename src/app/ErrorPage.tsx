import { Component, type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { useAccountStore } from '../api/account'
import { ApiFailure } from '../api/failure'
import { isNoAnswer, serverWatch } from '../api/serverWatch'
import { Button } from '../ui/Button'
import { Frame } from './Shell'
import {
  AddressNotAllowed,
  NotFound,
  SecondFactorRequired,
  SignOnRequired,
  StatusScreen,
  Unauthorized,
} from './StatusScreens'

/**
 * Shown for a failed page: a status (default: 500) and a message (SPEC.md 2). Inside the navigation if there is one;
 * retries by itself when an unavailable server is back.
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
  const code = error instanceof ApiFailure ? error.code : undefined
  if (code === 'second_factor_required') return <SecondFactorRequired />
  if (code === 'sign_on_required') return <SignOnRequired />
  if (code === 'address_not_allowed') return <AddressNotAllowed />
  if (status === 403) return <Unauthorized />
  const message = error instanceof ApiFailure ? error.message : undefined
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

/**
 * A function that retries in place; runs by itself when the server is back, without a reload that would end on the
 * browser's own error page.
 */
function useAgainOnReturn(error: unknown): () => void {
  const { revalidate } = useRevalidator()
  const unanswered = isNoAnswer(error)
  useEffect(() => {
    if (!unanswered) return
    const again = () => void revalidate()
    // it may have come back while the screen was loading
    if (!serverWatch.store.getState().away) again()
    return serverWatch.onReturn(again)
  }, [unanswered, revalidate])
  return unanswered ? () => void revalidate() : () => window.location.reload()
}

function statusOf(error: unknown): number | undefined {
  if (isRouteErrorResponse(error) || error instanceof ApiFailure) return error.status
  return undefined
}

/** Shown when the error page fails as well. Its text is here, because the texts may be what failed. */
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
