import { Bot, FileUp, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { ChatbotList } from '../../chatbots/ChatbotList'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { PageHeader } from '../../ui/PageHeader'

/** The project's chatbots. */
export function ChatbotsScreen() {
  const { t } = useTranslation('chatbots')
  const { pgid = '' } = useParams()
  const mayCreate = useCan('chatbots.create')
  const home = `/projects/${pgid}/chatbots`
  const create = mayCreate && (
    <Button design="primary" icon={<Plus />} to={`${home}/new`}>
      {t('list.new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('list.title')}
        actions={
          mayCreate && (
            <>
              <Button icon={<FileUp />} to={`${home}/new?from=file`}>
                {t('list.import')}
              </Button>
              {create}
            </>
          )
        }
      />
      <ChatbotList
        pgid={pgid}
        empty={
          <EmptyState
            icon={<Bot />}
            title={t('list.emptyTitle')}
            message={t(mayCreate ? 'list.emptyMessage' : 'list.emptyReadOnly')}
            action={create}
          />
        }
      />
    </>
  )
}
