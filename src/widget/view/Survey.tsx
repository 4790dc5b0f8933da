/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { loadPageTexts, type PageTexts } from '../pageTexts'
import type { ChatTexts } from '../texts'
import { ChatFailure } from '../transport'
import type { ChatPage, SurveyAnswer } from '../types'
import css from './chat.module.css'
import form from './form.module.css'
import page from './page.module.css'
import { Rating } from './Rating'

export type SurveySettings = NonNullable<ChatPage['survey']>

export interface SurveyProps {
  settings: SurveySettings
  texts: ChatTexts
  language: string
  onAnswer: (answer: SurveyAnswer) => Promise<void>
  onClose: () => void
}

const MOODS = ['veryBad', 'bad', 'okay', 'good', 'veryGood'] as const
const REASONS = {
  answers: 'reasonAnswers',
  speed: 'reasonSpeed',
  understanding: 'reasonUnderstanding',
  person: 'reasonPerson',
  other: 'reasonOther',
} as const satisfies Record<SurveyAnswer['follow_up'][number], keyof PageTexts>
/** SPEC.md 9 */
const FEEDBACK_CAP = 350

/** What a visitor is asked of the conversation: a rating first, and then what else the settings ask. */
export function Survey({ settings, texts, language, onAnswer, onClose }: SurveyProps) {
  const [said, setSaid] = useState<PageTexts | null>(null)
  const [rating, setRating] = useState<number | null>(null)
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => {
    let isThere = true
    void loadPageTexts(language, texts).then((loaded) => isThere && setSaid(loaded))
    return () => {
      isThere = false
    }
  }, [language, texts])

  const more = settings.follow_up.enabled || settings.resolved.enabled || settings.feedback.enabled
  async function send(answer: SurveyAnswer): Promise<void> {
    setState('busy')
    setRefusal(null)
    try {
      await onAnswer(answer)
      setState('done')
    } catch (failure) {
      setRefusal((failure instanceof ChatFailure && failure.said) || texts.failedText)
      setState('asking')
    }
  }
  function rate(chosen: number): void {
    setRating(chosen)
    if (!more) void send({ rating: chosen, follow_up: [], resolved: null, feedback: '' })
  }

  if (!said) return null
  if (state === 'done')
    return (
      <p class={page.thanks} role="status">
        {said.surveyThanks}
      </p>
    )
  const options = MOODS.map((mood, index) => ({ id: String(index + 1), label: said[mood] }))
  return (
    <section class={page.survey} aria-label={said.surveyTitle}>
      <h2>{said.surveyTitle}</h2>
      {rating === null || !more ? (
        <Rating
          request={{ input: 'rating', options, scale: settings.rating.type, required: true }}
          hidden={false}
          refusal={null}
          busy={state === 'busy'}
          texts={texts}
          onSend={(reply) => reply.type === 'choice' && rate(Number(reply.optionIds[0]))}
          onUpload={async () => ''}
        />
      ) : (
        <Rest
          {...{ settings, texts, said, rating }}
          busy={state === 'busy'}
          onSend={(answer) => void send({ ...answer, rating })}
        />
      )}
      {refusal && (
        <p class={css.problem} role="alert">
          {refusal}
        </p>
      )}
      <button type="button" class={`${css.quiet} ${page.skip}`} disabled={state === 'busy'} onClick={onClose}>
        {texts.skip}
      </button>
    </section>
  )
}

interface RestProps {
  settings: SurveySettings
  texts: ChatTexts
  said: PageTexts
  rating: number
  busy: boolean
  onSend: (answer: Omit<SurveyAnswer, 'rating'>) => void
}

function Rest({ settings, texts, said, rating, busy, onSend }: RestProps) {
  const [reasons, setReasons] = useState<SurveyAnswer['follow_up']>([])
  const [resolved, setResolved] = useState<boolean | null>(null)
  const [feedback, setFeedback] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = {
    follow_up: isMissing(settings.follow_up, reasons.length === 0),
    resolved: isMissing(settings.resolved, resolved === null),
    feedback: isMissing(settings.feedback, feedback.trim() === ''),
  }
  const problem = (is: boolean) => asked && is && <p class={css.problem}>{texts.required}</p>
  const mark = ({ required }: { required: boolean }) =>
    required ? <span class={form.star}>{' *'}</span> : <span class={form.optional}> {texts.optional}</span>
  return (
    <form
      class={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (Object.values(missing).includes(true) || busy) return
        onSend({ follow_up: reasons, resolved, feedback: feedback.trim() })
      }}
    >
      <p class={page.chosen}>{said[MOODS[rating - 1] ?? 'okay']}</p>
      {settings.resolved.enabled && (
        <fieldset class={page.question}>
          <legend>
            {said.resolved}
            {mark(settings.resolved)}
          </legend>
          <div class={page.chips}>
            {[true, false].map((value) => (
              <button
                key={String(value)}
                type="button"
                class={css.chip}
                aria-pressed={resolved === value}
                disabled={busy}
                onClick={() => setResolved(value)}
              >
                {value ? said.yes : said.no}
              </button>
            ))}
          </div>
          {problem(missing.resolved)}
        </fieldset>
      )}
      {settings.follow_up.enabled && (
        <fieldset class={page.question}>
          <legend>
            {said.followUp}
            {mark(settings.follow_up)}
          </legend>
          <div class={page.chips}>
            {(Object.keys(REASONS) as (keyof typeof REASONS)[]).map((reason) => (
              <button
                key={reason}
                type="button"
                class={css.chip}
                aria-pressed={reasons.includes(reason)}
                disabled={busy}
                onClick={() =>
                  setReasons(reasons.includes(reason) ? reasons.filter((one) => one !== reason) : [...reasons, reason])
                }
              >
                {said[REASONS[reason]]}
              </button>
            ))}
          </div>
          {problem(missing.follow_up)}
        </fieldset>
      )}
      {settings.feedback.enabled && (
        <div class={form.field}>
          <label for="survey-feedback">
            {said.feedback}
            {mark(settings.feedback)}
          </label>
          <textarea
            id="survey-feedback"
            class={css.field}
            rows={3}
            maxLength={FEEDBACK_CAP}
            value={feedback}
            disabled={busy}
            aria-invalid={asked && missing.feedback ? true : undefined}
            onInput={(event) => setFeedback(event.currentTarget.value)}
          />
          {problem(missing.feedback)}
        </div>
      )}
      <button type="submit" class={css.primary} disabled={busy}>
        {texts.send}
      </button>
    </form>
  )
}

const isMissing = ({ enabled, required }: { enabled: boolean; required: boolean }, empty: boolean): boolean =>
  enabled && required && empty
