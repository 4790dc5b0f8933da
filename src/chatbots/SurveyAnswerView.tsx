import { useTranslation } from 'react-i18next'
import type { SurveyAnswer } from '../../server/contracts/surveyAnswers'
import { Badge, type BadgeTone } from '../ui/Badge'
import styles from './SurveyAnswerView.module.css'

const TONES: Readonly<Record<number, BadgeTone>> = {
  1: 'danger',
  2: 'warning',
  3: 'neutral',
  4: 'success',
  5: 'success',
}

/** What a visitor said of a conversation: the rating, what decided it, and words. */
export function SurveyAnswerView({ answer }: { answer: SurveyAnswer }) {
  const { asked, rating, chosen, resolved, follow_up, feedback } = answer
  const { t } = useTranslation()
  return (
    <div className={styles.answer}>
      <p className={styles.badges}>
        {rating !== null && (
          <Badge tone={TONES[rating] ?? 'neutral'}>
            {t('surveyAnswer.rating', { rating, mood: t(`surveyAnswer.moods.${rating}`) })}
          </Badge>
        )}
        {asked === 'flow' && (
          <Badge>{chosen ? t('surveyAnswer.inFlow', { chosen }) : t('surveyAnswer.wordsInFlow')}</Badge>
        )}
        {resolved !== null && <Badge>{t(resolved ? 'surveyAnswer.resolved' : 'surveyAnswer.unresolved')}</Badge>}
        {follow_up.map((reason) => (
          <Badge key={reason}>{t(`surveyAnswer.reasons.${reason}`)}</Badge>
        ))}
      </p>
      {feedback && <p className={styles.words}>{feedback}</p>}
    </div>
  )
}
