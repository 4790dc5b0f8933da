import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'

/** What was read, or that it is being read, or why it could not be. */
export function Loaded<Data>({
  query: { data, error, refetch },
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}) {
  const { t } = useTranslation()
  if (error)
    return (
      <ErrorCard
        message={failureText(error, t('errors.message'))}
        action={{ label: t('actions.retry'), onClick: () => void refetch() }}
      />
    )
  return data === undefined ? <LoadingState rows={4} height={56} /> : children(data)
}
