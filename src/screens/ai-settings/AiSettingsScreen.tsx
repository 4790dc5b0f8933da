import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { aiSettingsQuery } from '../../api/ai'
import { failureText } from '../../api/failure'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import { AiSettingsForm } from './AiSettingsForm'
import { MeaningCard } from './MeaningCard'
import { ProvidersCard } from './ProvidersCard'

/** /projects/:pgid/chatbots/:cgid/settings/ai: the model and its settings, budgets, providers, search by meaning. */
export function AiSettingsScreen() {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data, error, refetch } = useQuery(aiSettingsQuery(pgid, cgid))
  return (
    <>
      <PageHeader title={t('title')} />
      {data ? (
        <SettingsStack>
          <AiSettingsForm key={cgid} pgid={pgid} cgid={cgid} view={data} />
          <ProvidersCard pgid={pgid} />
          <MeaningCard pgid={pgid} />
        </SettingsStack>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={3} height={160} />
      )}
    </>
  )
}
