import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { SetupGate } from '../../answers/SetupGate'
import { chatbotQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { Playground } from './Playground'
import styles from './playground.module.css'

/** /playground: talking to the agent outside of flows, with the reasons for its answers. */
export function PlaygroundScreen() {
  const { t } = useTranslation('playground')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  // reloaded on return from the set-up
  const { data: chatbot, error, refetch } = useQuery({ ...chatbotQuery(pgid, cgid), staleTime: 0 })
  const ready = chatbot?.setup.sources && chatbot.setup.details
  if (ready) return <Playground key={cgid} pgid={pgid} cgid={cgid} name={chatbot.name} />
  return (
    <div className={styles.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={styles.header}>
        <h1 className={styles.title}>{t('title')}</h1>
      </header>
      <div className={styles.waiting}>
        {chatbot ? (
          <SetupGate pgid={pgid} cgid={cgid} setup={chatbot.setup} />
        ) : error ? (
          <ErrorCard
            message={failureText(error, common('errors.message'))}
            action={{ label: common('actions.retry'), onClick: () => void refetch() }}
          />
        ) : (
          <LoadingState rows={3} height={64} />
        )}
      </div>
    </div>
  )
}
