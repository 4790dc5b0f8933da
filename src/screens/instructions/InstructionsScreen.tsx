import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { failureText } from '../../api/failure'
import { instructionsQuery } from '../../api/instructions'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { InstructionsEditor } from './InstructionsEditor'
import styles from './instructions.module.css'

/** /instructions: the chatbot's instructions with a live test and their versions. */
export function InstructionsScreen() {
  const { t } = useTranslation('instructions')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const { data, error, refetch } = useQuery(instructionsQuery(pgid, cgid))
  if (data) return <InstructionsEditor key={cgid} pgid={pgid} cgid={cgid} saved={data} />
  return (
    <div className={styles.screen}>
      <PageTitle>{t('title')}</PageTitle>
      <header className={styles.header}>
        <h1 className={styles.title}>{t('title')}</h1>
      </header>
      <div className={styles.waiting}>
        {error ? (
          <ErrorCard
            message={failureText(error, common('errors.message'))}
            action={{ label: common('actions.retry'), onClick: () => void refetch() }}
          />
        ) : (
          <LoadingState rows={3} height={120} />
        )}
      </div>
    </div>
  )
}
