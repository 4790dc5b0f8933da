import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { ApiFailure } from '../api/failure'
import { Button } from '../ui/Button'
import { NotFound, StatusScreen, Unauthorized } from './StatusScreens'

/** What a page that failed shows: a status (500 unless known) and a message (SPEC.md 2). */
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
  const status = statusOf(error)
  if (status === 404) return <NotFound />
  if (status === 403) return <Unauthorized />
  const message = error instanceof ApiFailure ? error.message : undefined
  const code = error instanceof ApiFailure ? error.code : undefined
  return (
    <StatusScreen
      status={status ?? 500}
      title={t('screens.error')}
      message={message ?? t('errors.message')}
      action={
        <>
          <Button onClick={() => window.location.reload()}>{t('actions.retry')}</Button>
          {code === '2007' ? (
            <Button to="/login">{t('screens.login')}</Button>
          ) : (
            <Button to="/">{t('screens.home')}</Button>
          )}
        </>
      }
    />
  )
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
