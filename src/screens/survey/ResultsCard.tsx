import { useQuery } from '@tanstack/react-query'
import { MessageSquareHeart } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, surveyAnswersQuery } from '../../api/webSettings'
import { SurveyAnswerView } from '../../chatbots/SurveyAnswerView'
import { formatMoment, formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import styles from './survey.module.css'

/** What visitors have said, for those who may read conversations. */
export function ResultsCard(place: ChatbotPlace) {
  return useCan('conversations.view') ? <Results {...place} /> : null
}

function Results(place: ChatbotPlace) {
  const { t } = useTranslation('survey')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(surveyAnswersQuery(place))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={2} height={72} />
  return (
    <Card title={t('results.title')} description={t('results.description')} flush>
      {data.count === 0 ? (
        <EmptyState icon={<MessageSquareHeart />} title={t('results.none')} message={t('results.noneHint')} />
      ) : (
        <>
          <dl className={styles.totals}>
            {data.average !== null && (
              <div>
                <dt>{t('results.average')}</dt>
                <dd>{t('results.of5', { average: formatNumber(data.average) })}</dd>
              </div>
            )}
            <div>
              <dt>{t('results.count')}</dt>
              <dd>{formatNumber(data.count)}</dd>
            </div>
            {data.resolved !== null && (
              <div>
                <dt>{t('results.resolved')}</dt>
                <dd>{t('results.percent', { percent: formatNumber(data.resolved) })}</dd>
              </div>
            )}
          </dl>
          <ul className={styles.answers} aria-label={t('results.list')}>
            {data.answers.map(({ id, conversation, ...answer }) => (
              <li key={id} className={styles.answer}>
                <SurveyAnswerView answer={answer} />
                <Link to={`/projects/${place.pgid}/chatbots/${place.cgid}/conversations/${conversation}`}>
                  {formatMoment(answer.at)}
                </Link>
              </li>
            ))}
          </ul>
          {data.count > data.answers.length && (
            <p className={styles.more}>{t('results.newest', { n: formatNumber(data.answers.length) })}</p>
          )}
        </>
      )}
    </Card>
  )
}
