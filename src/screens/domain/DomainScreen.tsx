import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { domainQuery } from '../../api/domains'
import { failureText } from '../../api/failure'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { AddDomain } from './AddDomain'
import { DomainCards } from './DomainCards'

/** /projects/:pgid/chatbots/:cgid/settings/domain: the host at which this chatbot alone is served. */
export function DomainScreen() {
  const { t } = useTranslation('domain')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const mayUpdate = useCan('custom_domain.update')
  const { data, error, refetch } = useQuery(domainQuery(place))
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {data ? (
        <SettingsStack>
          {!mayUpdate && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
          {data.domain ? (
            <DomainCards key={data.domain.id} place={place} domain={data.domain} mode={data.mode} />
          ) : (
            <AddDomain key={cgid} place={place} view={data} />
          )}
        </SettingsStack>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={2} height={140} />
      )}
    </>
  )
}
