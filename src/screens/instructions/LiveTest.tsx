import { useQuery } from '@tanstack/react-query'
import { FlaskConical, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Composer } from '../../answers/Composer'
import { SetupGate } from '../../answers/SetupGate'
import { Thread } from '../../answers/Thread'
import { useAsking } from '../../answers/useAsking'
import { chatbotQuery } from '../../api/chatbots'
import { Badge } from '../../ui/Badge'
import { EmptyState } from '../../ui/EmptyState'
import { IconButton } from '../../ui/IconButton'
import styles from './instructions.module.css'

interface LiveTestProps {
  pgid: string
  cgid: string
  /** the present draft */
  text: string
  unsaved: boolean
  tooLong: boolean
}

/** The chatbot's answers with the instructions in the editor, saved or not. */
export function LiveTest({ pgid, cgid, text, unsaved, tooLong }: LiveTestProps) {
  const { t } = useTranslation('instructions')
  const { t: answers } = useTranslation('answers')
  const asking = useAsking(pgid, cgid, answers('noAnswer'))
  const { data: chatbot } = useQuery({ ...chatbotQuery(pgid, cgid), staleTime: 0 })
  const overrides = { instructions: text }
  const ready = chatbot?.setup.sources && chatbot.setup.details
  return (
    <section className={styles.test} aria-label={t('test.title')}>
      <header className={styles.testHead}>
        <h2>{t('test.title')}</h2>
        <Badge tone={unsaved ? 'warning' : 'neutral'}>{unsaved ? t('test.unsaved') : t('test.saved')}</Badge>
        <span className={styles.space} />
        <IconButton
          size="s"
          label={t('test.restart')}
          icon={<RotateCcw size={14} />}
          disabled={asking.exchanges.length === 0}
          onClick={asking.restart}
        />
      </header>
      {chatbot && !ready ? (
        <div className={styles.gate}>
          <SetupGate pgid={pgid} cgid={cgid} setup={chatbot.setup} />
        </div>
      ) : (
        <>
          <Thread
            label={t('test.conversation')}
            exchanges={asking.exchanges}
            empty={<EmptyState icon={<FlaskConical />} title={t('test.emptyTitle')} message={t('test.emptyMessage')} />}
            onRetry={(id) => asking.retry(id, overrides)}
            onChoose={(suggestion) => asking.choose(suggestion, overrides)}
          />
          <Composer
            placeholder={t('test.placeholder')}
            writing={asking.writing}
            onAsk={(question) => !tooLong && asking.ask(question, overrides)}
            onStop={asking.stop}
          />
        </>
      )}
    </section>
  )
}
