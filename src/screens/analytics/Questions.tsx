import { useTranslation } from 'react-i18next'
import type { AnalyticsDetail } from '../../../server/contracts/analytics'
import type { Drilled } from '../../api/analytics'
import { BarList, drawnBars } from '../../charts/BarList'
import { ChartCard } from '../../charts/ChartCard'
import { formatShare } from '../../i18n/format'

/** Questions of the same wording as one: those asked most, or those that got no answer. */
export function Questions({
  kind,
  questions,
  onDrill,
}: {
  kind: 'top' | 'unanswered'
  questions: AnalyticsDetail['top_questions']
  onDrill: (drilled: Drilled) => void
}) {
  const { t } = useTranslation('analytics')
  const figure = kind === 'top' ? 'questions' : 'unanswered'
  const bars = questions.map(({ wording, question, asked, answered }) => ({
    id: wording,
    name: question,
    value: kind === 'top' ? asked : asked - answered,
    note: formatShare(kind === 'top' ? answered : asked - answered, asked),
    onOpen: () => onDrill({ figure, wording, about: question }),
  }))
  return (
    <ChartCard
      title={t(`questions.${kind}`)}
      drawn={() => drawnBars(t(`questions.${kind}`), bars)}
      table={{
        columns: [t('questions.question'), t('questions.asked'), t('questions.answered')],
        rows: questions.map(({ question, asked, answered }) => [question, asked, answered]),
        opens: bars.map(({ onOpen }) => onOpen),
      }}
    >
      <BarList bars={bars} />
    </ChartCard>
  )
}
