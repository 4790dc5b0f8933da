import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { actionsQuery } from '../../api/actions'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ActionRows } from './ActionRows'
import styles from './actions.module.css'
import { EmptyActions } from './EmptyActions'
import { Notices } from './Notices'
import { ToolServers } from './ToolServers'

/** /actions: what the chatbot's model may do besides answering. */
export function ActionsScreen() {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const mayCreate = useCan('actions.create')
  const { data, error, refetch } = useQuery(actionsQuery(place))
  const create = mayCreate && data?.plan.actions === true && (
    <Button design="primary" icon={<Plus />} to={`/projects/${pgid}/chatbots/${cgid}/actions/new`}>
      {t('new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={data?.actions.length ? create : undefined}
      />
      {data ? (
        <div className={styles.stack}>
          <Notices place={place} list={data} />
          {data.actions.length === 0 ? <EmptyActions action={create} /> : <ActionRows place={place} list={data} />}
          {data.plan.actions && <ToolServers pgid={pgid} cgid={cgid} />}
        </div>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={4} height={72} />
      )}
    </>
  )
}
