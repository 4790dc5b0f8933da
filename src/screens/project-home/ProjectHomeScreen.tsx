import { Bot, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useAccount, useCan } from '../../api/account'
import { RecentFigures } from '../../charts/recentFiguresLater'
import { ChatbotList } from '../../chatbots/ChatbotList'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { PageHeader } from '../../ui/PageHeader'
import { AskDocs } from './AskDocs'
import { Checklist } from './Checklist'
import { FeatureVote } from './FeatureVote'
import styles from './ProjectHomeScreen.module.css'
import { Samples } from './Samples'
import { Start } from './Start'
import { Welcome } from './Welcome'

/** The project's home: ways to create a chatbot, and the existing ones. */
export function ProjectHomeScreen() {
  const { t } = useTranslation('projects')
  const { pgid = '' } = useParams()
  const { project } = useAccount().user
  const mayCreate = useCan('chatbots.create')
  return (
    <>
      <PageHeader
        title={project?.name ?? t('home.title')}
        actions={
          mayCreate && (
            <Button design="primary" icon={<Plus />} to={`/projects/${pgid}/chatbots/new`}>
              {t('home.new')}
            </Button>
          )
        }
      />
      <div className={styles.home}>
        <Welcome pgid={pgid} mayCreate={mayCreate} />
        <Checklist pgid={pgid} />
        <Samples pgid={pgid} />
        <FeatureVote />
        <RecentFigures pgid={pgid} />
        {mayCreate && <Start pgid={pgid} />}
        <div>
          <ChatbotList
            pgid={pgid}
            title={t('home.chatbots')}
            empty={mayCreate ? null : <EmptyState icon={<Bot />} title={t('home.emptyReadOnly')} />}
          />
        </div>
        <AskDocs />
      </div>
    </>
  )
}
