import { ArrowRight } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type SurveyAnswers, type SurveyQuestion, surveyQuestions } from '../../../server/contracts/firstSteps'
import { useAccount } from '../../api/account'
import { useFirstSteps } from '../../api/firstSteps'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import styles from './firstSteps.module.css'

const questions = Object.keys(surveyQuestions) as SurveyQuestion[]

/** A template to begin with for who builds for this purpose. */
const TEMPLATES: Partial<Record<NonNullable<SurveyAnswers['purpose']>, string>> = {
  support: 'faq',
  leads: 'lead-qualification',
  appointments: 'appointment-booking',
  orders: 'order-status',
}

/** The welcome survey: three questions, one at a time, each of which may be left out; then a way to begin. */
export function Welcome({ pgid, mayCreate }: { pgid: string; mayCreate: boolean }) {
  const { t } = useTranslation('firstSteps')
  const { onboarding_displayed: over } = useAccount().user.settings
  const { survey } = useFirstSteps()
  const [at, setAt] = useState(0)
  const [answers, setAnswers] = useState<SurveyAnswers>({})
  const [finished, setFinished] = useState(false)
  const question = questions[at]
  const template = answers.purpose && TEMPLATES[answers.purpose]
  if (finished) return <Thanks pgid={pgid} template={mayCreate ? template : undefined} />
  if (over || !question) return null
  const last = at === questions.length - 1
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!last) return setAt(at + 1)
    survey.mutate(answers, { onSuccess: () => setFinished(true) })
  }
  return (
    <Card
      title={t('welcome.title')}
      description={t('welcome.why')}
      actions={
        <Button
          size="s"
          design="ghost"
          loading={survey.isPending && survey.variables === null}
          onClick={() => survey.mutate(null)}
        >
          {t('welcome.skip')}
        </Button>
      }
    >
      <form onSubmit={submit}>
        <Question
          key={question}
          question={question}
          count={t('welcome.count', { step: at + 1, count: questions.length })}
          value={answers[question]}
          focused={at > 0}
          onChange={(value) => setAnswers({ ...answers, [question]: value })}
        />
        <div className={styles.buttons}>
          {at > 0 && <Button onClick={() => setAt(at - 1)}>{t('welcome.back')}</Button>}
          <Button type="submit" design="primary" loading={survey.isPending && survey.variables !== null}>
            {t(last ? 'welcome.finish' : 'welcome.next')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

interface QuestionProps {
  question: SurveyQuestion
  /** which of how many it is */
  count: string
  value: string | undefined
  /** takes the focus: it follows another question */
  focused: boolean
  onChange: (value: string) => void
}

function Question({ question, count, value, focused, onChange }: QuestionProps) {
  const { t } = useTranslation('firstSteps')
  const group = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (focused) (group.current?.querySelector<HTMLElement>('input:checked') ?? group.current)?.focus()
  }, [focused])
  return (
    <fieldset ref={group} className={styles.question} tabIndex={-1}>
      <legend className={styles.legend}>
        {t(`welcome.${question}.title`)} <span className={styles.count}>{count}</span>
      </legend>
      <div className={styles.chips}>
        {surveyQuestions[question].map((answer) => (
          <label key={answer} className={styles.chip}>
            <input
              type="radio"
              name={question}
              value={answer}
              checked={value === answer}
              onChange={() => onChange(answer)}
            />
            {t(`welcome.${question}.${answer}` as 'welcome.role.owner')}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Thanks({ pgid, template }: { pgid: string; template: string | undefined }) {
  const { t } = useTranslation('firstSteps')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className={styles.thanks} role="status" tabIndex={-1}>
      {t('welcome.thanks')}{' '}
      {template && (
        <Link to={`/projects/${pgid}/chatbots/new?from=template&template=${template}`}>
          {t('welcome.begin')} <ArrowRight size={14} aria-hidden />
        </Link>
      )}
    </div>
  )
}
